package signal

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"peernomic/signal/refusal"
)

// metrics are sums over all rooms: nothing in them tells one room or person from
// another.
type metrics struct {
	registry  *prometheus.Registry
	envelopes prometheus.Counter
	bytes     prometheus.Counter
	repeated  prometheus.Counter
	seals     prometheus.Counter
	sent      prometheus.Counter
	signals   prometheus.Counter
	opened    prometheus.Counter
	removed   prometheus.Counter
	refusals  *prometheus.CounterVec
	commit    prometheus.Histogram
	batch     prometheus.Histogram
}

func newMetrics(s *Server) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "peernomic", Subsystem: "relay", Name: name, Help: help})
	}
	gauge := func(name, help string, f func() float64) prometheus.GaugeFunc {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "peernomic", Subsystem: "relay", Name: name, Help: help}, f)
	}
	histogram := func(name, help string, buckets []float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "peernomic", Subsystem: "relay", Name: name, Help: help, Buckets: buckets})
	}
	m := &metrics{
		registry:  prometheus.NewRegistry(),
		envelopes: counter("envelopes_total", "Envelopes stored and sealed."),
		bytes:     counter("envelope_bytes_total", "Bytes of the envelopes stored."),
		repeated:  counter("envelopes_repeated_total", "Envelopes received that were already stored."),
		seals:     counter("seals_total", "Seals cut."),
		sent:      counter("sent_bytes_total", "Bytes of the messages sent to clients."),
		signals:   counter("signals_total", "Signals passed between peers."),
		opened:    counter("rooms_opened_total", "Rooms opened."),
		removed:   counter("rooms_removed_total", "Rooms removed because nobody used them."),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "peernomic", Subsystem: "relay", Name: "refusals_total", Help: "Refusals by code.",
		}, []string{"code"}),
		commit: histogram("commit_seconds", "Time of one synced commit.", prometheus.ExponentialBuckets(0.0001, 2, 16)),
		batch:  histogram("commit_envelopes", "Envelopes of one commit.", prometheus.ExponentialBuckets(1, 2, 12)),
	}
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		gauge("connections", "Open connections.", func() float64 { return float64(s.visitors.connections()) }),
		gauge("rooms", "Rooms stored.", func() float64 { return float64(s.roomCount.Load()) }),
		gauge("rooms_active", "Rooms with connections.", func() float64 { return float64(s.activeRooms()) }),
		m.envelopes, m.bytes, m.repeated, m.seals, m.sent, m.signals, m.opened, m.removed, m.refusals, m.commit, m.batch,
	)
	return m
}

func (m *metrics) refused(c refusal.Code) { m.refusals.WithLabelValues(string(c)).Inc() }
