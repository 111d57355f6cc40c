//go:build !js

package client

import "time"

// rest lets the rest of the program run.
func rest(d time.Duration) { time.Sleep(d) }
