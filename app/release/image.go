package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// nobody is the user that the program runs as in a container, by number: the image has no list of users.
const nobody = 65532

// writeImage writes an archive with an OCI image for each of the programs. There is nothing in it but the
// program and an empty folder for its data.
func writeImage(to string, programs []program) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range programs {
		img, err := image(p)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.os, Architecture: p.arch}}})
	}
	folder, err := os.MkdirTemp("", "image")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	archive, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	name := map[string]string{"org.opencontainers.image.ref.name": "latest"} // by which tools find the one image in an archive
	if err := archive.AppendIndex(index, layout.WithAnnotations(name)); err != nil {
		return err
	}
	return pack(to, folder)
}

func image(p program) (v1.Image, error) {
	created, err := time.Parse(time.RFC3339, p.time)
	if err != nil {
		return nil, err
	}
	var files bytes.Buffer
	w := tar.NewWriter(&files)
	if err := w.WriteHeader(&tar.Header{Name: "data/", Typeflag: tar.TypeDir, Mode: 0o700, Uid: nobody, Gid: nobody}); err != nil {
		return nil, err
	}
	if err := add(w, "nomic", 0o755, p.content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	img, err := mutate.AppendLayers(base, layer)
	if err != nil {
		return nil, err
	}
	about, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	about = about.DeepCopy()
	about.OS, about.Architecture, about.Created = p.os, p.arch, v1.Time{Time: created}
	about.Config = v1.Config{
		User: fmt.Sprint(nobody), Entrypoint: []string{"/nomic"}, Cmd: []string{"serve", "--addr", ":8080", "--data", "/data"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}}, Volumes: map[string]struct{}{"/data": {}},
		Labels: map[string]string{
			"org.opencontainers.image.title": "peernomic", "org.opencontainers.image.licenses": "Apache-2.0",
			"org.opencontainers.image.revision": p.commit,
		},
	}
	return mutate.ConfigFile(img, about)
}

// pack writes a folder's files to an archive, in the order of their names, without times and owners.
func pack(to, folder string) error {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return add(w, filepath.ToSlash(name), 0o644, content)
	})
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, archive.Bytes(), 0o644)
}

func add(w *tar.Writer, name string, mode int64, content []byte) error {
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(content))}); err != nil {
		return err
	}
	_, err := w.Write(content)
	return err
}
