// Package dtls stands in for github.com/pion/dtls in the browser, which encrypts data channels itself.
// It declares what the browser's half of github.com/pion/webrtc names, see app/build/trim.go.
package dtls

// SRTPProtectionProfile is a way to protect media. The app has none.
type SRTPProtectionProfile uint16

// The profiles by their numbers in RFC 5764 and RFC 7714.
const (
	SRTP_AES128_CM_HMAC_SHA1_80 SRTPProtectionProfile = 0x0001
	SRTP_AEAD_AES_128_GCM       SRTPProtectionProfile = 0x0007
	SRTP_AEAD_AES_256_GCM       SRTPProtectionProfile = 0x0008
)
