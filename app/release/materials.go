package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"runtime/debug"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// billOfMaterials lists the modules that Go says are in the program, and the Go release they were compiled with.
func billOfMaterials(p program) ([]byte, error) {
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: p.time, Component: &cdx.Component{
		BOMRef: "nomic", Type: cdx.ComponentTypeApplication, Name: "nomic", Version: p.commit,
		Description: "for " + p.os + "/" + p.arch,
	}}
	components := []cdx.Component{{
		BOMRef: "std", Type: cdx.ComponentTypeLibrary, Name: "std", Version: p.info.GoVersion,
		PackageURL: "pkg:golang/std@" + strings.TrimPrefix(p.info.GoVersion, "go"),
	}}
	for _, m := range p.info.Deps {
		c, err := component(m)
		if err != nil {
			return nil, err
		}
		components = append(components, c)
	}
	bom.Components = &components
	var out bytes.Buffer
	if err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// component names a module by its package URL. Its hash is the one of go.sum, in hexadecimal digits.
func component(m *debug.Module) (cdx.Component, error) {
	if m.Replace != nil {
		m = m.Replace
	}
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:"))
	if err != nil || len(sum) == 0 {
		return cdx.Component{}, fmt.Errorf("the module %s has no checksum", m.Path)
	}
	url := "pkg:golang/" + m.Path + "@" + m.Version
	return cdx.Component{
		BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url,
		Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}},
	}, nil
}
