// Package engine_test holds the house rules of the engine: what it may import, and what
// it must not name.
package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed are all packages that the engine may import, besides its own. Each computes the
// same everywhere, from nothing but its arguments.
var allowed = []string{
	"bytes", "cmp", "container/heap", "errors", "fmt", "hash", "hash/crc32", "maps", "math", "math/big", "math/bits", "path", "regexp", "slices", "strconv", "strings", "unicode", "unicode/utf8",
	"embed", "io", "io/fs", // the shipped rulesets; readers that the caller gives
	"compress/flate", "encoding/base64", "encoding/binary", "encoding/hex", "encoding/json",
	"crypto/cipher", "crypto/ecdh", "crypto/ed25519", "crypto/hkdf", "crypto/hmac", "crypto/sha256", "crypto/sha512",
	"filippo.io/edwards25519", "golang.org/x/crypto/chacha20", "golang.org/x/crypto/chacha20poly1305", "golang.org/x/crypto/scrypt",
	"github.com/fxamacker/cbor/v2",
	"github.com/aymanbagabas/go-udiff/lcs", // its edits decide what amendments do: another version is another kernel
	"time",                                 // calendar arithmetic and formatting; see clocks
}

// interpreter are the packages of the Starlark interpreter and who may import them.
var interpreter = map[string][]string{
	"go.starlark.net/resolve":        {"rules/sandbox", "lint"},
	"go.starlark.net/syntax":         {"rules/sandbox", "rules", "lint"},
	"go.starlark.net/starlark":       {"rules/sandbox", "rules/declare", "rules/internal/convert", "rules"},
	"go.starlark.net/starlarkstruct": {"rules/sandbox", "rules/internal/convert", "rules"},
}

// clocks are the names of package time that depend on when or where the program runs.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Local", "LoadLocation"}

// sources calls visit with every Go file of the tree that is not a test.
func sources(t *testing.T, root string, visit func(path string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		seen++
		visit(path, fset, f)
		return nil
	})
	if err != nil || seen == 0 {
		t.Fatalf("read %d files below %s: %v", seen, root, err)
	}
}

func importsOf(f *ast.File) []string {
	var out []string
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err == nil {
			out = append(out, path)
		}
	}
	return out
}

func TestEngineImportsOnlyWhatIsPure(t *testing.T) {
	sources(t, ".", func(path string, _ *token.FileSet, f *ast.File) {
		pkg := filepath.ToSlash(filepath.Dir(path))
		for _, imported := range importsOf(f) {
			if who, ok := interpreter[imported]; ok {
				if !slices.Contains(who, pkg) {
					t.Errorf("%s imports the interpreter's %s: only %v may", path, imported, who)
				}
				continue
			}
			own := strings.HasPrefix(imported, "peernomic/engine/")
			if pkg == "wire" && own {
				t.Errorf("%s imports %s: package wire imports nothing of ours", path, imported)
			}
			if !own && !slices.Contains(allowed, imported) {
				t.Errorf("%s imports %s, which is not on the engine's list", path, imported)
			}
		}
	})
}

func TestEngineHasNoClockAndNoGoroutine(t *testing.T) {
	sources(t, ".", func(path string, fset *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
				t.Errorf("%s: the engine has no goroutines and no channels", fset.Position(n.Pos()))
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(clocks, n.Sel.Name) {
					t.Errorf("%s: time.%s depends on the machine", fset.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		})
	})
}

// Processors may round in different ways.
func TestEngineHasNoFloatingPoint(t *testing.T) {
	whole := regexp.MustCompile(`^(Max|Min)U?[Ii]nt\d*$`)
	sources(t, ".", func(path string, fset *token.FileSet, f *ast.File) {
		var visit func(ast.Node) bool
		visit = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CaseClause: // may ask what the interpreter's parser read
				for _, s := range n.Body {
					ast.Inspect(s, visit)
				}
				return false
			case *ast.BasicLit:
				if n.Kind == token.FLOAT || n.Kind == token.IMAG {
					t.Errorf("%s: %s is a number with a floating point", fset.Position(n.Pos()), n.Value)
				}
			case *ast.Ident:
				if strings.HasPrefix(n.Name, "float") || strings.HasPrefix(n.Name, "complex") {
					t.Errorf("%s: %s has a floating point", fset.Position(n.Pos()), n.Name)
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "math" && !whole.MatchString(n.Sel.Name) {
					t.Errorf("%s: math.%s has a floating point", fset.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		}
		ast.Inspect(f, visit)
	})
}

func TestEngineKnowsNoRuleset(t *testing.T) {
	folders, err := os.ReadDir("rulesets")
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"dragon", "breeder", "muffin", "dungeon", "infected", "wizard"}
	for _, f := range folders {
		if f.IsDir() {
			words = append(words, f.Name())
		}
	}
	named := regexp.MustCompile(`(?i)(` + strings.Join(words, "|") + `)`)
	sources(t, ".", func(path string, fset *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool { // comments may give examples
			text := ""
			switch n := n.(type) {
			case *ast.Ident:
				text = n.Name
			case *ast.BasicLit:
				text = n.Value
			}
			if m := named.FindString(text); m != "" {
				t.Errorf("%s names %q: the kernel knows no ruleset", fset.Position(n.Pos()), m)
			}
			return true
		})
	})
}

func TestRelayKnowsNothingOfTheGame(t *testing.T) {
	sources(t, "../signal", func(path string, _ *token.FileSet, f *ast.File) {
		for _, imported := range importsOf(f) {
			if strings.HasPrefix(imported, "peernomic/") && !slices.Contains([]string{"peernomic/engine/wire", "peernomic/engine/entropy"}, imported) && !strings.HasPrefix(imported, "peernomic/signal") {
				t.Errorf("%s imports %s: the relay knows rooms, envelopes and seals alone", path, imported)
			}
		}
	})
}

// TestEngineHasNoGlobalsThatChange looks for assignments to package variables outside
// init: what a package remembers between two calls would differ between replicas.
func TestEngineHasNoGlobalsThatChange(t *testing.T) {
	globals := map[string]map[string]bool{} // by folder
	sources(t, ".", func(path string, _ *token.FileSet, f *ast.File) {
		names := globals[filepath.Dir(path)]
		if names == nil {
			names = map[string]bool{}
			globals[filepath.Dir(path)] = names
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, spec := range g.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						names[name.Name] = name.Name != "_"
					}
				}
			}
		}
	})
	sources(t, ".", func(path string, fset *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || fn.Recv == nil && fn.Name.Name == "init" {
				continue
			}
			own := declaredIn(fn)
			changed := func(e ast.Expr) {
				for {
					switch x := e.(type) {
					case *ast.IndexExpr:
						e = x.X
						continue
					case *ast.SelectorExpr:
						e = x.X
						continue
					case *ast.StarExpr:
						e = x.X
						continue
					case *ast.Ident:
						if globals[filepath.Dir(path)][x.Name] && !own[x.Name] {
							t.Errorf("%s: %s is changed after the start of the program", fset.Position(x.Pos()), x.Name)
						}
					}
					return
				}
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					if n.Tok != token.DEFINE {
						for _, e := range n.Lhs {
							changed(e)
						}
					}
				case *ast.IncDecStmt:
					changed(n.X)
				case *ast.CallExpr:
					if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "delete" || id.Name == "clear") && len(n.Args) > 0 {
						changed(n.Args[0])
					}
				}
				return true
			})
		}
	})
}

// declaredIn returns the names that a function declares itself: parameters, results and
// variables.
func declaredIn(fn *ast.FuncDecl) map[string]bool {
	own := map[string]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, name := range n.Names {
				own[name.Name] = true
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					if id, ok := e.(*ast.Ident); ok {
						own[id.Name] = true
					}
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok {
					own[id.Name] = true
				}
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				own[name.Name] = true
			}
		}
		return true
	})
	return own
}
