package e2e

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"testing"

	"peernomic/web"
)

// budget is how large the app may be on its way to the browser, in bytes.
const budget = 3_200_000

func TestAppFitsItsBudget(t *testing.T) {
	server := startServer(t)
	request, err := http.NewRequest("GET", "http://"+server.addr+"/web/app.wasm", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "br")
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Encoding") != "br" {
		t.Fatalf("%s, Content-Encoding %q", response.Status, response.Header.Get("Content-Encoding"))
	}
	var about struct {
		Size    int `json:"size"`
		Quality int `json:"brotli_quality"`
	}
	text, err := fs.ReadFile(web.Static(), "app.wasm.json")
	if err == nil {
		err = json.Unmarshal(text, &about)
	}
	if err != nil {
		t.Fatal(err)
	}
	report("the app: %.2f MB, as Brotli %d %.2f MB", float64(about.Size)/1e6, about.Quality, float64(response.ContentLength)/1e6)
	if about.Quality < 11 {
		t.Skipf("built with Brotli %d for speed: its size is not that of a release", about.Quality)
	}
	if response.ContentLength > budget {
		t.Errorf("the app is %d bytes as Brotli, %d over its budget", response.ContentLength, response.ContentLength-budget)
	}
}
