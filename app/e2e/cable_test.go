package e2e

import (
	"io"
	"net"
	"sync"
	"testing"
)

// cable is the network between one browser and the server: a TCP forwarder that can be cut and mended.
type cable struct {
	t        *testing.T
	to, addr string
	mu       sync.Mutex
	listener net.Listener
	conns    map[net.Conn]bool
}

// layCable connects a new address on the loopback with the server.
func layCable(t *testing.T, s *server) *cable {
	t.Helper()
	c := &cable{t: t, to: s.addr, addr: "127.0.0.1:0", conns: make(map[net.Conn]bool)}
	c.mend()
	t.Cleanup(c.cut)
	return c
}

// origin is the address to open in a browser. Chromium gives "localhost" the rights of HTTPS.
func (c *cable) origin() string {
	_, port, _ := net.SplitHostPort(c.addr)
	return "http://localhost:" + port
}

func (c *cable) mend() {
	c.t.Helper()
	listener, err := net.Listen("tcp", c.addr)
	if err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	c.listener, c.addr = listener, listener.Addr().String()
	c.mu.Unlock()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go c.forward(listener, conn)
		}
	}()
}

// cut ends every connection and admits no new one.
func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.listener == nil {
		return
	}
	c.listener.Close()
	c.listener = nil
	for conn := range c.conns {
		conn.Close()
	}
}

func (c *cable) forward(on net.Listener, near net.Conn) {
	far, err := net.Dial("tcp", c.to)
	if err != nil {
		near.Close()
		return
	}
	if !c.keep(on, near, far) {
		return
	}
	go pipe(near, far)
	pipe(far, near)
	c.mu.Lock()
	delete(c.conns, near)
	delete(c.conns, far)
	c.mu.Unlock()
}

// keep notes the connections for cut; it reports false, and closes them, if the cable was cut meanwhile.
func (c *cable) keep(on net.Listener, conns ...net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range conns {
		if c.listener != on {
			conn.Close()
		} else {
			c.conns[conn] = true
		}
	}
	return c.listener == on
}

func pipe(to, from net.Conn) {
	io.Copy(to, from)
	to.Close()
	from.Close()
}
