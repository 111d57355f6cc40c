//go:build race && !js

package game

func init() { raced = true }
