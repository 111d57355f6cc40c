package site

import (
	"net/http"
	"strings"
)

// policy is the Content-Security-Policy of every answer. No inline script or style, nothing from
// another origin; 'wasm-unsafe-eval' allows compiling WebAssembly and nothing else.
//
// WebSockets may go elsewhere: a game's players can agree on another relay when this host has gone, and
// then this page, with this policy, is what they have in their browsers; a list of hosts could not hold
// the new one (docs/architecture.md, "What a page may connect to"). Nobody else is connected to:
// the app only knows the relays that its games name. From a page that came by HTTPS no browser connects
// to ws:, which is for networks without certificates.
var policy = strings.Join([]string{
	"default-src 'none'",
	"script-src 'self' 'wasm-unsafe-eval'",
	"style-src 'self'",
	"img-src 'self' data: blob:",
	"font-src 'self'",
	"connect-src 'self' ws: wss:",
	"manifest-src 'self'",
	"worker-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
}, "; ")

// setHeaders sets what every answer of the site carries.
func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	// An invite link's secret is in the fragment, which is never sent; the rest of the address is
	// nobody's business either.
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Embedder-Policy", "require-corp")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
}
