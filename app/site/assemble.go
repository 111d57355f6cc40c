package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path"
	"slices"
	"strings"
	texttemplate "text/template"
)

//go:embed shell
var shell embed.FS

// Colours of the browser's own frame around the app; they match the paper of web/static/app.css.
const (
	themeLight = "#f6f1e7"
	themeDark  = "#171512"
)

const (
	pathPage     = "/"
	pathWorker   = "/app-worker.js"
	pathBoot     = "/shell/boot.js"
	pathManifest = "/manifest.webmanifest"
	pathWASM     = "/web/app.wasm"
	pathWASMExec = "/web/wasm_exec.js"

	typeHTML     = "text/html; charset=utf-8"
	typeScript   = "text/javascript; charset=utf-8"
	typeManifest = "application/manifest+json"
	typeWASM     = "application/wasm"
)

// notBuilt is the page of a binary that was compiled without the app.
const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>peernomic</title>
<h1>The app is not in this binary</h1>
<p>It was compiled without it. <code>make build</code> builds the app first and then a binary that holds it.</p>
</html>
`

// pageData is what shell/page.html needs to know.
type pageData struct {
	Version, WASM, WASMExec, Rulesets, Boot, Manifest string
	WASMSize                                          int
	Styles                                            []string
	Icons                                             []iconLink
	ThemeLight, ThemeDark                             string
}

type iconLink struct{ Rel, Href, Type string }

// assemble makes the shell around the static files: page, script, manifest and worker.
func assemble(files map[string]*file, program *file) (*Site, error) {
	s := &Site{files: files}
	boot, err := shell.ReadFile("shell/boot.js")
	if err != nil {
		return nil, err
	}
	files[pathBoot] = newFile(typeScript, boot)
	if files[pathManifest], err = makeManifest(files); err != nil {
		return nil, err
	}
	if program == nil || files[pathWASMExec] == nil {
		files[pathPage] = newFile(typeHTML, []byte(notBuilt))
		s.version = s.hash()
		return s, nil
	}
	files[pathWASM] = program
	if err := addRulesets(files); err != nil {
		return nil, err
	}
	if err := addManual(files); err != nil {
		return nil, err
	}

	// The page and the worker name the version, so the version is made from the templates in their place.
	for _, name := range []string{"page.html", "worker.js"} {
		text, err := shell.ReadFile("shell/" + name)
		if err != nil {
			return nil, err
		}
		files["shell:"+name] = newFile("", text)
	}
	s.version = s.hash()
	delete(files, "shell:page.html")
	delete(files, "shell:worker.js")

	// What the worker keeps: everything but the page, which it treats apart, and itself.
	var kept []string
	for _, p := range s.Paths() {
		kept = append(kept, files[p].address(p))
	}
	if files[pathPage], err = s.makePage(); err != nil {
		return nil, err
	}
	if files[pathWorker], err = s.makeWorker(kept); err != nil {
		return nil, err
	}
	return s, nil
}

// hash sums up all files, by path and content.
func (s *Site) hash() string {
	var b strings.Builder
	for _, p := range s.Paths() {
		fmt.Fprintf(&b, "%s %s\n", p, s.files[p].hash)
	}
	return hashOf([]byte(b.String()))
}

func (s *Site) makePage() (*file, error) {
	data := pageData{
		Version: s.version, WASM: s.address(pathWASM), WASMSize: s.files[pathWASM].size,
		WASMExec: s.address(pathWASMExec), Rulesets: s.address(pathIndex), Boot: s.address(pathBoot), Manifest: s.address(pathManifest),
		ThemeLight: themeLight, ThemeDark: themeDark,
	}
	for _, p := range s.Paths() {
		if path.Ext(p) == ".css" {
			data.Styles = append(data.Styles, s.address(p))
		}
	}
	for _, icon := range []struct{ path, rel, kind string }{
		{"/web/icon.svg", "icon", "image/svg+xml"},
		{"/web/icon-192.png", "apple-touch-icon", ""},
	} {
		if s.files[icon.path] != nil {
			data.Icons = append(data.Icons, iconLink{icon.rel, s.address(icon.path), icon.kind})
		}
	}
	t, err := template.ParseFS(shell, "shell/page.html")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, err
	}
	return newFile(typeHTML, b.Bytes()), nil
}

func (s *Site) makeWorker(kept []string) (*file, error) {
	data := map[string]string{"Version": s.version}
	for name, list := range map[string][]string{"Files": kept, "PageNames": pageNames, "PagePrefixes": pagePrefixes} {
		text, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		data[name] = string(text)
	}
	t, err := texttemplate.ParseFS(shell, "shell/worker.js")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, err
	}
	return newFile(typeScript, b.Bytes()), nil
}

func (s *Site) address(p string) string { return s.files[p].address(p) }

// makeManifest describes the app to browsers that can install it.
func makeManifest(files map[string]*file) (*file, error) {
	type icon struct {
		Source  string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose,omitempty"`
	}
	icons := slices.DeleteFunc([]icon{
		{"/web/icon.svg", "any", "image/svg+xml", "any"},
		{"/web/icon-192.png", "192x192", "image/png", ""},
		{"/web/icon-512.png", "512x512", "image/png", ""},
	}, func(i icon) bool { return files[i.Source] == nil })
	for n := range icons {
		icons[n].Source = files[icons[n].Source].address(icons[n].Source)
	}
	text, err := json.MarshalIndent(map[string]any{
		"name":             "peernomic",
		"short_name":       "peernomic",
		"description":      "A game in which changing the rules is a move, played with friends in the browser.",
		"id":               "/",
		"start_url":        "/",
		"scope":            "/",
		"display":          "standalone",
		"background_color": themeLight,
		"theme_color":      themeLight,
		"icons":            icons,
	}, "", "  ")
	if err != nil {
		return nil, err
	}
	return newFile(typeManifest, text), nil
}
