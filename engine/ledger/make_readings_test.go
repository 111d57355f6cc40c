package ledger

import (
	"crypto/ecdh"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"peernomic/engine/secret"
	"peernomic/engine/wire"
)

// readings adds the cases of SPEC.md, section 2, that a person or a device reads.
func (f *forge) readings() {
	own := f.tab.keys.secret
	add := func(clause, name, kind string, in, with, out []byte) {
		f.Readings = append(f.Readings, readingVector{Clause: clause, Name: name, Kind: kind, In: hex.EncodeToString(in), With: hex.EncodeToString(with), Out: hex.EncodeToString(out)})
	}
	text := InviteText(own, f.tab.game)
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	loose := func(text string) string { // with the next last character, whose loose bits are not zero
		n := len(text) - 1
		return text[:n] + string(alphabet[strings.IndexByte(alphabet, text[n])+1])
	}
	add("2.1", "an invite", "invite", []byte(text), nil, append(own[:], f.tab.game[:]...))
	for _, bad := range [][2]string{
		{"an invite without its last character", text[:86]},
		{"an invite without game", own.String()},
		{"an invite with an empty game", own.String() + "."},
		{"an invite with three parts", text + "." + own.String()},
		{"an invite of game zero", InviteText(own, GameID{})},
		{"an invite with padding", text + "="},
		{"an invite whose last bits are not zero", loose(text)},
		{"an invite whose secret's bits are not zero", loose(own.String()) + text[43:]},
		{"an invite in the other alphabet", "+" + text[1:]},
	} {
		add("2.1", bad[0], "invite", []byte(bad[1]), nil, nil)
	}

	seed := f.host.seed
	words := strings.Fields(f.host.Words())
	add("2.4", "words", "words", []byte(strings.Join(words, " ")), nil, seed[:])
	short := slices.Clone(words)
	for i, w := range short {
		short[i] = w[:min(4, len(w))]
	}
	add("2.4", "four letters of each word", "words", []byte(strings.Join(short, " ")), nil, seed[:])
	swapped := slices.Clone(words)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	add("2.4", "a wrong checksum", "words", []byte(strings.Join(swapped, " ")), nil, nil)
	add("2.4", "23 words", "words", []byte(strings.Join(words[1:], " ")), nil, nil)
	add("2.4", "a word that is not in the list", "words", []byte("peernomic "+strings.Join(words[1:], " ")), nil, nil)

	const pass = "correct horse"
	made := must(f.host.Backup(pass, source("backup")))
	add("2.5", "a backup", "backup", made, []byte(pass), seed[:])
	add("2.5", "a backup under another passphrase", "backup", made, []byte(pass+"s"), nil)
	add("2.5", "another first line", "backup", append([]byte("x"), made...), []byte(pass), nil)
	b := must(parseBackup(made))
	for _, cost := range []uint8{9, 19} {
		b.Cost = cost
		add("2.5", fmt.Sprintf("a backup of cost %d", cost), "backup", must(b.file()), []byte(pass), nil)
	}
	long := must(wire.Encode([]any{uint64(16), b.Salt[:], b.Nonce[:], b.Sealed, uint64(0)}))
	add("2.5", "a backup with a field too many", "backup", []byte(backupHeader+base64.RawStdEncoding.EncodeToString(long)+"\n"), []byte(pass), nil)

	signal := must(f.tab.keys.EncryptSignal([]byte("an offer"), source("signal")))
	add("2.7", "a signal", "signal", signal, own[:], []byte("an offer"))
	changed := slices.Clone(signal)
	changed[30] ^= 1
	add("2.7", "a changed signal", "signal", changed, own[:], nil)
	other := own
	other[0] ^= 1
	add("2.7", "a signal of another room", "signal", signal, other[:], nil)
}

// read reads what a vector holds.
func read(kind string, in, with []byte) ([]byte, error) {
	switch kind {
	case "invite":
		s, game, err := ParseInvite(string(in))
		if err != nil {
			return nil, err
		}
		return append(s[:], game[:]...), nil
	case "invitation":
		key, err := ecdh.X25519().NewPrivateKey(with[:32])
		if err != nil {
			return nil, err
		}
		return secret.OpenWith(key, inviteInfo(GameID(with[32:64]), GameID(with[64:96])), in)
	case "signal":
		return RoomSecret(with).Keys().DecryptSignal(in)
	}
	id, err := ParseWords(string(in))
	if kind == "backup" {
		id, err = RestoreBackup(in, string(with))
	}
	if err != nil {
		return nil, err
	}
	return id.seed[:], nil
}

// digests gives the orders their digests.
func (f *forge) digests() {
	ids := map[string]string{}
	for _, m := range f.Messages {
		ids[m.Name] = m.ID
	}
	for i, o := range f.Orders {
		var places []byte
		for _, p := range o.Placed {
			places = append(places, must(hex.DecodeString(ids[p.Action]))...)
			places = append(places, 0, 0, 0, 0, 0, 0, byte(p.Seal>>8), byte(p.Seal))
			places = append(places, map[bool]byte{p.Void != "": 1}[true])
		}
		d := wire.Digest("peernomic/order/v1", places)
		f.Orders[i].Digest = hex.EncodeToString(d[:])
	}
}
