package client

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"peernomic/engine/ledger"
)

// ErrInvite reports text that is not an invite link.
var ErrInvite = errors.New("not an invite link")

const (
	invitePath = "/join/"
	relayPath  = "/relay"
)

// Invite is what an invite link says: the room's secret and its game, in the fragment,
// which a browser never sends, and where the room's relay is.
type Invite struct {
	Secret ledger.RoomSecret
	Game   ledger.GameID
	Relay  string // URL of the relay's endpoint; empty in a game without one
}

// ParseInvite reads an invite link, https://HOST/#/join/SECRET.GAME. It fails with
// [ErrInvite].
func ParseInvite(link string) (Invite, error) {
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil {
		return Invite{}, ErrInvite // the error of url.Parse would repeat the secret
	}
	text, ok := strings.CutPrefix(u.Fragment, invitePath)
	if !ok {
		return Invite{}, fmt.Errorf("%w: it has to end in #%sSECRET.GAME", ErrInvite, invitePath)
	}
	secret, game, err := ledger.ParseInvite(text)
	if err != nil {
		return Invite{}, fmt.Errorf("%w: %w", ErrInvite, err)
	}
	u.Fragment = ""
	address, err := RelayURL(u.String())
	if err != nil {
		return Invite{}, fmt.Errorf("%w: %w", ErrInvite, err)
	}
	return Invite{Secret: secret, Game: game, Relay: address}, nil
}

// String returns the link.
func (i Invite) String() string {
	u, err := url.Parse(i.Relay)
	if err != nil || i.Relay == "" {
		return "#" + invitePath + ledger.InviteText(i.Secret, i.Game)
	}
	scheme := "https"
	if u.Scheme == "ws" {
		scheme = "http"
	}
	return scheme + "://" + u.Host + strings.TrimSuffix(u.Path, relayPath) + "/#" + invitePath + ledger.InviteText(i.Secret, i.Game)
}

// RelayURL returns the endpoint of the relay that goes with the address of an app:
// wss://HOST/relay for https://HOST/anything. An endpoint stays what it is.
func RelayURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", errors.New("the address of a relay looks like https://host")
	}
	switch u.Scheme {
	case "https", "wss":
		u.Scheme = "wss"
	case "http", "ws":
		u.Scheme = "ws"
	default:
		return "", fmt.Errorf("a relay cannot be reached by %s", u.Scheme)
	}
	return u.Scheme + "://" + u.Host + relayPath, nil
}
