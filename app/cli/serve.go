package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"peernomic/app/site"
	"peernomic/web"
)

const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	stopTimeout       = 10 * time.Second
)

type serveOptions struct {
	addr, data string
	logJSON    bool
	testClock  bool
}

func newServe() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the app and relay sealed envelopes between players",
		Long: `Serves the app and the relay from one address.

The relay keeps every game's envelopes, which it cannot read, in the data folder,
puts them in order with signed seals, and forwards them to the players of the game.
An acknowledged envelope is on disk. No other configuration is needed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.addr, "addr", ":8080", "`address` to listen on")
	flags.StringVar(&o.data, "data", "data", "`folder` of the relay's database")
	flags.BoolVar(&o.logJSON, "log-json", false, "write the log as JSON lines")
	flags.BoolVar(&o.testClock, "test-clock", false, "")
	flags.MarkHidden("test-clock")
	return cmd
}

func serve(cmd *cobra.Command, o serveOptions) error {
	log := newLogger(cmd, o.logJSON)
	app, err := site.New(web.Static())
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", app)

	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	log.Info("serving", "version", app.Version(), "data", o.data)
	fmt.Fprintf(cmd.OutOrStdout(), "Open http://%s in your browser.\n", browserAddress(listener.Addr()))

	select {
	case err := <-failed:
		return err
	case <-cmd.Context().Done():
	}
	log.Info("stopping")
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
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
