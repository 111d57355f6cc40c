package e2e

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// server is a running `nomic serve` with its own data folder and a clock that can be moved on.
type server struct {
	t      *testing.T
	data   string
	addr   string // host:port, the same after a restart
	cmd    *exec.Cmd
	exited chan struct{}
	flags  []string
	ahead  time.Duration // how far the clock has been moved on
	log    lockedBuffer
}

// startServer starts the binary on a free port of the loopback.
func startServer(t *testing.T, flags ...string) *server {
	t.Helper()
	s := &server{t: t, data: t.TempDir(), addr: "127.0.0.1:0", flags: flags}
	s.start()
	t.Cleanup(func() {
		s.kill()
		if t.Failed() {
			t.Logf("the server's log:\n%s", s.log.tail(8000))
		}
	})
	return s
}

func (s *server) start() {
	s.t.Helper()
	s.cmd = exec.Command(binary(s.t), append([]string{"serve", "--addr", s.addr, "--data", s.data, "--test-clock"}, s.flags...)...)
	s.cmd.Env = append(os.Environ(), "PEERNOMIC_TEST=1")
	s.cmd.Stderr = &s.log
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	_, rest, found := strings.Cut(line, "http://")
	if err != nil || !found {
		s.t.Fatalf("the server did not start (%v); it said %q\n%s", err, line, s.log.tail(4000))
	}
	_, port, _ := strings.Cut(strings.Fields(rest)[0], ":")
	s.addr = "127.0.0.1:" + port
	exited, cmd := make(chan struct{}), s.cmd
	s.exited = exited
	go func() {
		io.Copy(io.Discard, stdout)
		cmd.Wait()
		close(exited)
	}()
}

// kill ends the server with SIGKILL, as a power cut would.
func (s *server) kill() {
	s.cmd.Process.Kill()
	<-s.exited
}

// restart starts it again after kill, with its clock as far on as it was.
func (s *server) restart() {
	s.t.Helper()
	s.start()
	ahead := s.ahead
	s.ahead = 0
	s.advance(ahead)
}

// advance moves the server's clock on.
func (s *server) advance(d time.Duration) {
	s.t.Helper()
	resp, err := http.Post("http://"+s.addr+"/test/advance?d="+url.QueryEscape(d.String()), "", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	s.ahead += d
	if resp.StatusCode/100 != 2 {
		text, _ := io.ReadAll(resp.Body)
		s.t.Fatalf("moving the server's clock: %s: %s", resp.Status, text)
	}
}

// lockedBuffer collects what a process writes.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *lockedBuffer) tail(n int) string {
	text := l.String()
	return text[max(0, len(text)-n):]
}
