package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// sortingProgram sorts slices with many equal values, of lengths for which the algorithm takes all its
// ways, and prints the orders and how often it compared.
const sortingProgram = `package main

import (
	"fmt"
	"slices"
)

type pair struct{ key, place int }

func main() {
	compared := 0
	compare := func(a, b pair) int { compared++; return a.key - b.key }
	for _, n := range []int{0, 1, 2, 11, 12, 13, 49, 50, 51, 100, 999, 5000} {
		for _, kinds := range []int{2, 7, 1 << 30} {
			for shape := range 4 {
				var list []pair
				seed := uint32(n + kinds)
				for i := range n {
					seed = seed*1664525 + 1013904223
					key := []int{int(seed>>2) % kinds, i, -i, i * (n - i)}[shape]
					list = append(list, pair{key, i})
				}
				var keys []int
				for _, p := range list {
					keys = append(keys, p.key)
				}
				stable := slices.Clone(list)
				slices.SortStableFunc(stable, compare)
				slices.SortFunc(list, compare)
				slices.Sort(keys)
				sum := 0
				for i := range n {
					sum = sum*31 + list[i].place + 7*stable[i].place + 3*keys[i]
				}
				fmt.Println(n, kinds, shape, compared, uint32(sum))
			}
		}
	}
}
`

// cryptoProgram prints hashes, authentication codes, derived keys, shared secrets, signatures and addresses with zones.
const cryptoProgram = `package main

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"net/url"
	"slices"
)

func main() {
	seed := sha256.Sum256([]byte("seed"))
	fmt.Printf("%x %x\n", seed, sha512.Sum512(seed[:]))
	code := hmac.New(sha256.New, seed[:])
	code.Write([]byte("message"))
	fmt.Printf("%x\n", code.Sum(nil))
	key, err := hkdf.Key(sha256.New, seed[:], nil, "info", 80)
	fmt.Printf("%x %v\n", key, err)
	key, err = pbkdf2.Key(sha256.New, "word", seed[:], 3, 40)
	fmt.Printf("%x %v\n", key, err)
	mine, err := ecdh.X25519().NewPrivateKey(seed[:])
	shared, failed := mine.ECDH(mine.PublicKey())
	fmt.Printf("%x %v %x %v\n", mine.PublicKey().Bytes(), err, shared, failed)
	_, err = mine.ECDH(must(ecdh.X25519().NewPublicKey(make([]byte, 32))))
	fmt.Println(err)
	private := ed25519.NewKeyFromSeed(seed[:])
	public, signature := private.Public().(ed25519.PublicKey), ed25519.Sign(private, []byte("message"))
	fmt.Printf("%x %x %v %v\n", public, signature, ed25519.Verify(public, []byte("message"), signature), ed25519.Verify(public, nil, signature))
	a, b := make([]byte, 32), make([]byte, 32)
	n, err := rand.Read(a)
	rand.Read(b)
	fmt.Println(n, err, slices.Equal(a, b), slices.Equal(a, make([]byte, 32)))
	for _, text := range []string{"https://[::1]:80/", "wss://[fe80::1%25en0]/", "https://[1.2.3.4]/", "https://[::1/", "https://[::ffff:1.2.3.4]", "https://1.2.3.4"} {
		u, err := url.Parse(text)
		fmt.Println(u, err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
`

// The engine's games depend on orders, which have to be the same in every program.
func TestSortsLikeTheStandardLibrary(t *testing.T) {
	printsAlike(t, sortingProgram, 144)
}

// No verdict on a signature, no key and no relay's address may depend on what was left out.
func TestCryptographyIsTheStandardLibrarys(t *testing.T) {
	printsAlike(t, cryptoProgram, 14)
}

// printsAlike runs a program natively with the standard library, and as the browser's program is made, by Node.
func printsAlike(t *testing.T, program string, lines int) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("Node is missing: the program cannot be run here")
	}
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	atRoot(t)
	if err := writeOverlay(); err != nil {
		t.Fatal(err)
	}
	root, err := ask("env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	run := func(env []string, args ...string) []byte {
		cmd := exec.Command("go", append(append([]string{"run"}, args...), source)...)
		cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := run(nil)
	got := run([]string{"GOOS=js", "GOARCH=wasm"}, "-overlay", overlay, "-exec", filepath.Join(root, "lib", "wasm", "go_js_wasm_exec"))
	if n := bytes.Count(want, []byte("\n")); n != lines {
		t.Fatalf("it printed %d lines", n)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the browser's program prints\n%s\ninstead of\n%s", got, want)
	}
}
