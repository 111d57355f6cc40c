package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"peernomic/app/site"
	"peernomic/signal"
	"peernomic/web"
)

// testVariable must be 1 in the environment for what only tests may do.
const testVariable = "PEERNOMIC_TEST"

const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	stopTimeout       = 10 * time.Second
)

type serveOptions struct {
	addr, data string
	logJSON    bool
	testClock  bool

	// Limits; zero stands for the relay's default.
	connections, perAddress, rooms, roomsPerDay, roomMiB int
	proxies, hosts, origins                              []string
}

func newServe() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the app and relay sealed envelopes between players",
		Long: `Serves the app and the relay from one address.

The relay keeps every game's envelopes, which it cannot read, in the data folder,
puts them in order with signed seals, and forwards them to the players of the game.
An acknowledged envelope is on disk. No other configuration is needed.

On the internet, say by --host what the relay is called. A player's proof of an invite
counts for one host; without --host the relay believes every caller about that, so a
dishonest relay that a player is led to could enter the player's room here.

Pages of every host may connect, so that games can move to this relay from others. That gives nothing away: a connection proves the key of its room, which is in the
invite and in no cookie. --origin keeps the relay to the pages of certain hosts, and
saves it the games of strangers' pages (whose visitors are each granted as much as any
address); a relay in a private network that should be used from no page outside it
wants --origin with its own host's name.`,
		Args: takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.addr, "addr", ":8080", "`address` to listen on")
	flags.StringVar(&o.data, "data", "data", "`folder` of the relay's database")
	flags.IntVar(&o.connections, "max-connections", 0, "`number` of connections held (default 5000)")
	flags.IntVar(&o.perAddress, "max-connections-per-address", 0, "`number` of them from one address (default 64)")
	flags.IntVar(&o.rooms, "max-rooms", 0, "`number` of games kept (default 10000)")
	flags.IntVar(&o.roomsPerDay, "max-rooms-per-day", 0, "`number` of games that one address may open in a day (default 50)")
	flags.IntVar(&o.roomMiB, "max-room-mib", 0, "`size` of what one game may keep, in MiB (default 128)")
	flags.StringSliceVar(&o.proxies, "trusted-proxy", nil, "`network` whose X-Forwarded-For and X-Forwarded-Host are believed, such as 127.0.0.1/32; may be repeated")
	flags.StringSliceVar(&o.hosts, "host", nil, "`host` by which players reach the relay, such as nomic.example; may be repeated (default any)")
	flags.StringSliceVar(&o.origins, "origin", []string{"*"}, "`host` whose pages may connect to the relay, besides its own; may be repeated")
	flags.BoolVar(&o.logJSON, "log-json", false, "write the log as JSON lines")
	flags.BoolVar(&o.testClock, "test-clock", false, "")
	flags.MarkHidden("test-clock")
	return cmd
}

func serve(cmd *cobra.Command, o serveOptions) error {
	if o.testClock && os.Getenv(testVariable) != "1" {
		return errors.New("--test-clock lets anyone move the server's time and is for tests only; it wants " + testVariable + "=1 in the environment")
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(signal.MemoryLimit)
	}
	log := newLogger(cmd, o.logJSON)
	app, err := site.New(web.Static())
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("another program listens on %s already; stop it, or choose another address, as in: nomic serve --addr :8081", o.addr)
	case err != nil:
		return fmt.Errorf("--addr %s: %w; an address looks like :8080 or 127.0.0.1:8080", o.addr, err)
	}
	config, err := o.relay(log)
	if err != nil {
		listener.Close()
		return err
	}
	relay, err := signal.NewServer(config)
	if err != nil {
		listener.Close()
		return folderError(err, o.data, "nomic serve --data data-2")
	}
	mux := http.NewServeMux()
	mux.Handle("/", app)
	for _, path := range []string{"/relay", "/healthz", "/metrics", "/test/"} {
		mux.Handle(path, relay.Handler())
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	log.Info("serving", "version", app.Version(), "data", o.data)
	fmt.Fprintf(cmd.OutOrStdout(), "Open http://%s in your browser.\n", browserAddress(listener.Addr()))

	select {
	case err = <-failed:
	case <-cmd.Context().Done():
		log.Info("stopping")
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	// The relay first: its connections are no longer the HTTP server's, which would not wait for them.
	return errors.Join(err, relay.Close(ctx), server.Shutdown(ctx))
}

// relay puts the options in the relay's terms.
func (o serveOptions) relay(log *slog.Logger) (signal.Config, error) {
	for name, limit := range map[string]int{"connections": o.connections, "connections-per-address": o.perAddress, "rooms": o.rooms, "rooms-per-day": o.roomsPerDay, "room-mib": o.roomMiB} {
		if limit < 0 {
			return signal.Config{}, fmt.Errorf("--max-%s %d: a limit cannot be negative", name, limit)
		}
	}
	config := signal.Config{Data: o.data, Log: log, Hosts: o.hosts, Origins: o.origins, Limits: signal.Limits{
		Connections:           o.connections,
		ConnectionsPerAddress: o.perAddress,
		Rooms:                 o.rooms,
		RoomsPerDay:           o.roomsPerDay,
		RoomBytes:             uint64(o.roomMiB) << 20,
	}}
	if o.testClock {
		config.TestClock = &signal.TestClock{}
	}
	for _, text := range o.proxies {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return config, fmt.Errorf("--trusted-proxy %s is no network, which looks like 127.0.0.1/32", text)
		}
		config.TrustedProxies = append(config.TrustedProxies, prefix)
	}
	return config, nil
}

// browserAddress is the address to open on this machine. Browsers allow offline use, and their own
// cryptography, on localhost and over HTTPS only.
func browserAddress(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok || (!tcp.IP.IsUnspecified() && !tcp.IP.IsLoopback()) {
		return a.String()
	}
	return fmt.Sprintf("localhost:%d", tcp.Port)
}

func newLogger(cmd *cobra.Command, asJSON bool) *slog.Logger {
	if asJSON {
		return slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
	}
	return slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
}
