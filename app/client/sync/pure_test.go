//go:build !js

package sync

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The package has no goroutine, channel, clock, disk or socket: what it does depends on its calls alone.
func TestPackageIsPure(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			switch path, _ := strconv.Unquote(i.Path.Value); {
			case path == "sync", path == "context", path == "os", path == "crypto/rand", path == "math/rand/v2", strings.HasPrefix(path, "net"),
				strings.HasPrefix(path, "peernomic/app"):
				t.Errorf("%s imports %s", f.Name(), path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt:
				t.Errorf("%s has %T", f.Name(), n)
			case *ast.SelectorExpr:
				if of, ok := n.X.(*ast.Ident); ok && of.Name == "time" && (n.Sel.Name == "Now" || n.Sel.Name == "Since" || n.Sel.Name == "After") {
					t.Errorf("%s asks for time.%s", f.Name(), n.Sel.Name)
				}
			}
			return true
		})
	}
}
