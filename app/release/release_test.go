package main

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

func sample(arch string) program {
	return program{platform: platform{"linux", arch}, content: []byte("program for " + arch), commit: "c0ffee", time: "2026-11-22T18:00:00Z",
		info: &debug.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{{Path: "example.org/a", Version: "v1.0.0", Sum: "h1:" + strings.Repeat("A", 43) + "="}}}}
}

// The same programs give the same archive: nothing of the moment or the machine gets in.
func TestImageIsReproducible(t *testing.T) {
	var archives [2][]byte
	for i := range archives {
		file := filepath.Join(t.TempDir(), "image.tar")
		if err := writeImage(file, []program{sample("amd64"), sample("arm64")}); err != nil {
			t.Fatal(err)
		}
		archives[i], _ = os.ReadFile(file)
	}
	if len(archives[0]) == 0 || !bytes.Equal(archives[0], archives[1]) {
		t.Error("two archives of the same programs differ")
	}
}

// The image runs as a user without rights, who can write to the folder for data.
func TestImageHoldsTheProgram(t *testing.T) {
	img, err := image(sample("arm64"))
	if err != nil {
		t.Fatal(err)
	}
	about, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if about.Architecture != "arm64" || about.OS != "linux" || about.Config.User != "65532" || about.Config.Entrypoint[0] != "/nomic" {
		t.Errorf("the image is %+v", about)
	}
	files := map[string]int64{}
	content := mutate.Extract(img)
	defer content.Close()
	for r := tar.NewReader(content); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = h.Mode
	}
	if files["nomic"]&0o111 == 0 || files["data/"] != 0o700 && files["data"] != 0o700 {
		t.Errorf("the image holds %v", files)
	}
	if _, err := image(program{time: "yesterday"}); err == nil {
		t.Error("a program without a date has an image")
	}
}

func TestMaterialsNameEveryModule(t *testing.T) {
	p := sample("amd64")
	p.info.Deps[0].Replace = &debug.Module{Path: "example.org/b", Version: "v1.2.3", Sum: p.info.Deps[0].Sum}
	bom, err := billOfMaterials(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"pkg:golang/example.org/b@v1.2.3"`, `"pkg:golang/std@1.26.8"`, strings.Repeat("00", 32), "c0ffee"} {
		if !strings.Contains(string(bom), want) {
			t.Errorf("the bill of materials does not say %s:\n%s", want, bom)
		}
	}
	p.info.Deps[0].Replace.Sum = ""
	if _, err := billOfMaterials(p); err == nil {
		t.Error("a module without a checksum is listed")
	}
}
