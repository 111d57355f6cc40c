# peernomic's front door. `make help` lists what is here.
#
# Go is all that building and running need. The tests also want Node (engine in WebAssembly) and
# Chromium (end to end); where one is missing they say so and install it with apt-get.

GO          ?= go
ADDR        ?= :8080
DATA        ?= data
BROTLI      ?= 11
FUZZTIME    ?= 20s
BENCH       ?= .
SOAK        ?= 10m
KILLS       ?= 200
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2

export GOFLAGS := $(GOFLAGS) -buildvcs=false
NOMIC      := $(CURDIR)/bin/nomic
WASM_EXEC  := $(shell $(GO) env GOROOT)/lib/wasm/go_js_wasm_exec
# The race detector needs cgo and thus a C compiler.
RACE       := $(shell command -v gcc >/dev/null 2>&1 || command -v clang >/dev/null 2>&1 && echo -race)

.DEFAULT_GOAL := help

.PHONY: run
run: build ## build everything and serve it: ADDR=:8080 DATA=data
	@$(NOMIC) serve --addr $(ADDR) --data $(DATA)

.PHONY: build
build: app ## build bin/nomic, one file with the app inside
	@$(GO) build -trimpath -ldflags "-s -w" -o bin/nomic ./app
	@ls -l bin/nomic | awk '{printf "bin/nomic: %.1f MB\n", $$5 / 1e6}'

.PHONY: app
app: ## compile and compress the app for the browser: BROTLI=5 is quicker and larger
	@$(GO) run ./app/build -quality $(BROTLI)

.PHONY: test
test: vet test-native test-wasm test-e2e ## run every test: vet, native, WebAssembly, Chromium

.PHONY: vet
vet:
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet ./app

.PHONY: test-native
test-native: ## all tests on this machine, with the race detector if there is a C compiler
	@test -n "$(RACE)" || echo "no C compiler: the tests run without the race detector (apt-get install gcc)"
	$(GO) test $(RACE) -timeout 60m ./...
	$(if $(RACE),$(GO) test -timeout 60m -run '^Test(Cheat|Measurements)' ./engine/game) # too many rolls for the race detector
	$(if $(RACE),$(GO) test -timeout 60m -run '^TestFlood' ./signal) # the race detector takes the memory that it measures

.PHONY: test-wasm
test-wasm: node ## the engine's tests in WebAssembly, by Node, and Node's signatures
	GOOS=js GOARCH=wasm $(GO) test -exec "$(WASM_EXEC)" -timeout 60m ./engine/...

.PHONY: test-e2e
test-e2e: build chromium ## the whole thing in two Chromium processes: RUN=pattern for some of it
	PEERNOMIC_BINARY=$(NOMIC) $(GO) test -count=1 -timeout 60m -v $(if $(RUN),-run '$(RUN)') ./app/e2e

# install is for apt-get: $(call install,package,name,what it is needed for).
define install
{ echo "$(2) is missing: installing it with apt-get, for $(3)"; \
  sudo=$$(command -v sudo || true); test "$$(id -u)" = 0 && sudo=; \
  $$sudo apt-get update -q && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $(1); }
endef

.PHONY: node
node:
	@command -v node >/dev/null || $(call install,nodejs,Node,the engine's tests in WebAssembly)

.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  $(call install,chromium,Chromium,the tests in real browsers)

.PHONY: lint
lint: ## gofmt, go vet and staticcheck
	@unformatted=$$(gofmt -l app engine signal web); test -z "$$unformatted" || { echo "not formatted by gofmt:"; echo "$$unformatted"; exit 1; }
	$(MAKE) --no-print-directory vet
	$(GO) run $(STATICCHECK) ./...
	GOOS=js GOARCH=wasm $(GO) build -o /dev/null ./app

.PHONY: bench
bench: ## benchmarks, natively, by Node and in Chromium: BENCH=pattern
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./...
	@command -v node >/dev/null || { echo "Node is missing: there are no figures in WebAssembly"; exit 0; }; \
	  GOOS=js GOARCH=wasm $(GO) test -exec "$(WASM_EXEC)" -run '^$$' -bench '$(BENCH)' ./engine/ledger ./engine/game ./engine/rulesets ./app/client

.PHONY: fuzz
fuzz: ## every fuzz test for FUZZTIME=20s each
	@set -e; for package in $$($(GO) list ./...); do \
	  for name in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
	    echo "$$package $$name"; \
	    $(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) $$package; \
	  done; \
	done

.PHONY: soak
soak: build chromium ## rooms in virtual time for SOAK=10m, then KILLS=200 kills each of the relay, of members, of a lone device and of a browser
	PEERNOMIC_SOAK=$(SOAK) $(GO) test -count=1 -timeout 0 -v -run '^TestSoak$$' ./app/client
	PEERNOMIC_TEST_KILLS=$(KILLS) $(GO) test -count=1 -timeout 0 -v -run '^TestKill' ./signal ./app/cli ./app/client
	PEERNOMIC_BINARY=$(NOMIC) PEERNOMIC_TEST_KILLS=$(KILLS) $(GO) test -count=1 -timeout 0 -v -run '^TestKill' ./app/e2e

.PHONY: clean
clean: ## remove what was built; the data folder stays
	rm -rf bin web/static/app.wasm* web/static/wasm_exec.js

.PHONY: help
help: ## show this
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
