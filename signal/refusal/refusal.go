// Package refusal lists the codes by which a relay refuses. They travel in
// [peernomic/engine/wire.Refusal] and, when the refusal ends the connection, as the
// status and the reason of the WebSocket's close frame. Both ends import this
// package, so it depends on nothing.
package refusal

// Code names one reason of a refusal. Codes and their numbers are on the wire: new ones may
// be added, and none changes its meaning.
type Code string

// Codes that end the connection.
const (
	// Closing: the relay is stopping; it will be back.
	Closing Code = "closing"
	// Full: the relay holds as many connections as it may.
	Full Code = "full"
	// Crowded: this address holds as many connections as one may.
	Crowded Code = "crowded"
	// Attempts: this address connects too often.
	Attempts Code = "attempts"
	// Late: the client did not say hello in time.
	Late Code = "late"
	// Garbled: a frame is not a message.
	Garbled Code = "garbled"
	// Oversize: a frame is longer than it may be.
	Oversize Code = "oversize"
	// Unexpected: clients do not send such a message at this point.
	Unexpected Code = "unexpected"
	// Protocol: the client speaks another version of the protocol.
	Protocol Code = "protocol"
	// Proof: the client did not prove that it holds the key of the room.
	Proof Code = "proof"
	// Peer: the peer id is zero or already connected to the room.
	Peer Code = "peer"
	// NoRoom: there is no such room, and the client expects a game in it.
	NoRoom Code = "no-room"
	// RoomCrowded: the room holds as many connections as one may.
	RoomCrowded Code = "room-crowded"
	// RoomsFull: the relay holds as many rooms as it may.
	RoomsFull Code = "rooms-full"
	// RoomsDaily: this address opened as many rooms as one may in a day.
	RoomsDaily Code = "rooms-daily"
	// Slow: the client does not read what it is sent.
	Slow Code = "slow"
	// Silent: the client does not answer the relay's pings.
	Silent Code = "silent"
	// Game: the room holds another game than the client expects or founds.
	Game Code = "game"
	// Host: the client addressed the relay by a host that is not the relay's.
	Host Code = "host"
	// Storage: the relay cannot read or write its disk.
	Storage Code = "storage"
)

// Codes that refuse one message and leave the connection open. The subject of the refusal is
// the envelope, if it is about one.
const (
	// EnvelopeSize: an envelope is too short or too long.
	EnvelopeSize Code = "envelope-size"
	// EnvelopeVersion: an envelope of another version.
	EnvelopeVersion Code = "envelope-version"
	// EnvelopeRoom: an envelope of another room.
	EnvelopeRoom Code = "envelope-room"
	// NoGame: the room's founder has not said yet which game it holds.
	NoGame Code = "no-game"
	// Batch: a message carries more than it may.
	Batch Code = "batch"
	// Rate: the client sends envelopes faster than it may.
	Rate Code = "rate"
	// RoomRate: the members of the room together send envelopes faster than they may.
	RoomRate Code = "room-rate"
	// RoomFull: the room holds as many bytes as one may.
	RoomFull Code = "room-full"
	// ChainEnd: the notary's entropy chain is used up, so the room takes no more.
	ChainEnd Code = "chain-end"
	// Ahead: the client asks for seals after one that the relay does not have.
	Ahead Code = "ahead"
	// Wants: the client asks for the log again and again.
	Wants Code = "wants"
	// NoPeer: the receiver of a signal is not connected.
	NoPeer Code = "no-peer"
	// SignalSize: a signal is too long.
	SignalSize Code = "signal-size"
	// SignalRate: the client sends signals faster than it may.
	SignalRate Code = "signal-rate"
	// PeerBusy: the receiver of a signal does not read fast enough.
	PeerBusy Code = "peer-busy"
)

// facts are the properties of a code.
type facts struct {
	status int    // WebSocket close status; 0 if the connection stays open
	final  bool   // doing the same again cannot succeed
	text   string // the sentence for people
}

var table = map[Code]facts{
	Closing:     {4000, false, "The relay is stopping. Try again in a moment."},
	Full:        {4001, false, "The relay holds as many connections as it can. Try again later."},
	Crowded:     {4002, false, "Too many connections come from this network. Close some and try again."},
	Attempts:    {4003, false, "This network connects too often. Wait a little and try again."},
	Late:        {4004, false, "This device took too long to answer the relay's challenge."},
	Garbled:     {4005, true, "This device sent something that is not a message."},
	Oversize:    {4006, true, "This device sent a message that is too long."},
	Unexpected:  {4007, true, "This device sent a message that the relay did not expect."},
	Protocol:    {4008, true, "The relay speaks another version of the protocol. Update the app or the relay."},
	Proof:       {4009, true, "This invite does not open this room."},
	Peer:        {4010, false, "Another connection to the room has the same id. Try again."},
	NoRoom:      {4011, true, "The relay knows no such room."},
	RoomCrowded: {4012, false, "The room holds as many connections as it can. Try again later."},
	RoomsFull:   {4013, false, "The relay holds as many rooms as it can."},
	RoomsDaily:  {4014, false, "This network has opened as many rooms today as it may. Try again tomorrow."},
	Slow:        {4016, false, "The connection is too slow for what the relay sends. It goes on from where it stopped."},
	Silent:      {4017, false, "The connection went silent."},
	Storage:     {4018, false, "The relay cannot use its disk. Only what it acknowledged is stored."},
	Game:        {4019, true, "This room holds another game than the invite says."},
	Host:        {4020, true, "The relay is not meant to be reached by this address. Use the address of its own page."},

	EnvelopeSize:    {0, true, "An envelope is too short or too long."},
	EnvelopeVersion: {0, true, "An envelope has a version that the relay does not know."},
	EnvelopeRoom:    {0, true, "An envelope belongs to another room."},
	NoGame:          {0, false, "The game of this room is not founded yet."},
	Batch:           {0, true, "A message carries too many envelopes."},
	Rate:            {0, false, "This device sends too fast. Try again in a moment."},
	RoomRate:        {0, false, "The room's members send too fast. Try again in a moment."},
	RoomFull:        {0, true, "The room is full: the relay stores no more for it."},
	ChainEnd:        {0, true, "The room's notary has used up its entropy chain and can seal no more. Move the game to a new room."},
	Ahead:           {0, true, "The relay does not have the seals that this device has seen: it may have lost data."},
	Wants:           {0, false, "This device asks for the whole log too often. Try again in a moment."},
	NoPeer:          {0, false, "The other device is not connected to the relay."},
	SignalSize:      {0, true, "A signal to another device is too long."},
	SignalRate:      {0, false, "This device signals too often. Try again in a moment."},
	PeerBusy:        {0, false, "The other device does not keep up. Try again in a moment."},
}

// Text returns the code's sentence for people; for an unknown code, the code.
func (c Code) Text() string {
	if f, ok := table[c]; ok {
		return f.text
	}
	return string(c)
}

// Status returns the WebSocket close status that goes with the code, from 4000 on.
// It is 0 for a code that leaves the connection open.
func (c Code) Status() int { return table[c].status }

// Final reports whether the same request will fail again. At such a code, a client stops its
// automatic retries and asks its person.
func (c Code) Final() bool { return table[c].final }

// ByStatus returns the code of a close status, and whether there is one.
func ByStatus(status int) (Code, bool) {
	for c, f := range table {
		if f.status == status && status != 0 {
			return c, true
		}
	}
	return "", false
}
