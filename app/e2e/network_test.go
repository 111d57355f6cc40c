package e2e

import (
	"github.com/chromedp/cdproto/network"
)

// Three states of a browser's network. Direct connections between browsers are only subject to them if
// they were made while some condition was in force, so a browser starts with an imperceptible one.
var (
	whole     = network.Conditions{DownloadThroughput: -1, UploadThroughput: -1, Latency: 1, PacketQueueLength: 10_000}
	noDirect  = network.Conditions{DownloadThroughput: -1, UploadThroughput: -1, Latency: 1, PacketLoss: 100}
	notAtAll  = network.Conditions{DownloadThroughput: -1, UploadThroughput: -1, Latency: 1, PacketLoss: 100, Offline: true}
	inWorkers = true
)

func (b *browser) conditions(c network.Conditions) {
	b.t.Helper()
	b.run("changing the network",
		command(network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			EmulateOfflineServiceWorker: &inWorkers,
			MatchedNetworkConditions:    []*network.Conditions{&c},
		}),
		command(network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: c.Offline}))
}

// cutNetwork takes the browser off the network: the cable to the server and every direct connection.
func (b *browser) cutNetwork() {
	b.t.Helper()
	b.expectOffline(true)
	b.cable.cut()
	b.conditions(notAtAll)
}

// mendNetwork puts it back.
func (b *browser) mendNetwork() {
	b.t.Helper()
	b.cable.mend()
	b.conditions(whole)
}

// blockDirect loses every packet between browsers; the server is still reached.
func (b *browser) blockDirect() {
	b.t.Helper()
	b.conditions(noDirect)
}

// expectOffline says whether messages of the browser about the network are to be expected.
func (b *browser) expectOffline(expected bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.offline = expected
}
