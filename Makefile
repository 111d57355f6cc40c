# peernomic's front door. `make help` lists what is here.
#
# Go is all that building and running need. The tests also want a C compiler (race detector), Node (engine in WebAssembly)
# and Chromium (end to end). `make test` names what is missing, and installs it if apt-get is there and it runs as root.

GO          ?= go
ADDR        ?= :8080
DATA        ?= data
BROTLI      ?= 11
FUZZTIME    ?= 20s
BENCH       ?= .
SOAK        ?= 10m
KILLS       ?= 200
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK ?= golang.org/x/vuln/cmd/govulncheck@v1.9.0

NOMIC      := $(CURDIR)/bin/nomic
WASM_EXEC  := $(shell $(GO) env GOROOT)/lib/wasm/go_js_wasm_exec

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

# The app is the same in every commit that does not change it: it names none.
app: export GOFLAGS += -buildvcs=false

.PHONY: check
check: lint ## while you work: lint, and the quick tests
	$(GO) test -short ./...

PARTS := lint test-native test-race test-wasm test-e2e

.PHONY: test
test: ## lint and run every test: native, WebAssembly, Chromium. A part that fails does not stop the next
	@rm -rf bin/test && mkdir -p bin/test
	@for tool in $(TOOLS); do $(MAKE) --no-print-directory $$tool || true; done
	@for part in $(PARTS); do \
	  echo "== make $$part"; { $(MAKE) --no-print-directory $$part 2>&1 || touch bin/test/$$part.failed; } | tee bin/test/$$part.log; \
	done
	@echo "== summary"; good=true; for part in $(PARTS); do \
	  if test -e bin/test/$$part.failed; then good=false; echo "make $$part: FAILED"; grep -E '^ *--- FAIL|^FAIL	|^panic:' bin/test/$$part.log || tail -n 5 bin/test/$$part.log; else echo "make $$part: ok"; fi; \
	done; $$good

.PHONY: vet
vet:
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet ./app

.PHONY: test-native
test-native: ## all tests on this machine
	$(GO) test -timeout 60m ./...

# The race detector has nothing to find in engine/, which has no goroutines (engine/purity_test.go), nor in what -short leaves
# out, which does one thing at a time. All of that runs in test-native.
.PHONY: test-race
test-race: cc ## the tests of what has goroutines, with the race detector: needs a C compiler
	$(GO) test -race -short -timeout 60m ./app/... ./signal/...

.PHONY: test-wasm
test-wasm: node ## the engine's tests in WebAssembly, by Node
	GOOS=js GOARCH=wasm $(GO) test -short -exec "$(WASM_EXEC)" -timeout 60m ./engine/...

.PHONY: test-e2e
test-e2e: build chromium ## the whole thing in two Chromium processes: RUN=pattern for some of it
	PEERNOMIC_BINARY=$(NOMIC) $(GO) test -count=1 -timeout 60m -v $(if $(RUN),-run '$(RUN)') ./app/e2e

# Each tool is installed by apt-get where that is allowed without asking, and otherwise named.
# $(call want,package,what it is for,command or its other names)
TOOLS := cc node chromium
define want
	@for name in $(3); do command -v $$name >/dev/null && exit; done; \
	  if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
	    echo "$(1) is missing, for $(2): installing it with apt-get"; \
	    apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $(1); \
	  else echo "$(1) is missing, for $(2): install it first (on Debian: apt-get install $(1))"; exit 1; fi
endef

.PHONY: $(TOOLS)
cc:
	$(call want,gcc libc6-dev,the race detector,gcc clang)
node:
	$(call want,nodejs,the engine's tests in WebAssembly,node)
chromium:
	$(call want,chromium,the tests in real browsers,chromium chromium-browser google-chrome)

.PHONY: lint
lint: ## gofmt, go vet and staticcheck
	@unformatted=$$(gofmt -l app engine signal web); test -z "$$unformatted" || { echo "not formatted by gofmt:"; echo "$$unformatted"; exit 1; }
	$(MAKE) --no-print-directory vet
	$(GO) run $(STATICCHECK) ./...
	GOOS=js GOARCH=wasm $(GO) build -o /dev/null ./app

.PHONY: vuln
vuln: ## look for known vulnerabilities in what the program calls (govulncheck)
	@mkdir -p bin; $(GO) run $(GOVULNCHECK) ./... >bin/vuln.txt 2>&1; code=$$?; cat bin/vuln.txt; \
	  if grep -q '^govulncheck: fetching vulnerabilities:' bin/vuln.txt; then echo "NOT CHECKED: the vulnerability database cannot be reached from here"; \
	  else exit $$code; fi

.PHONY: bench
bench: node ## benchmarks, natively, by Node and in Chromium, into docs/performance.md: BENCH=pattern prints some
	@mkdir -p bin
	$(GO) test -run '^$$' -bench '$(BENCH)' -timeout 60m ./app/... ./engine/... ./signal/... | tee bin/bench-native.txt
	GOOS=js GOARCH=wasm $(GO) test -exec "$(WASM_EXEC)" -run '^$$' -bench '$(BENCH)' -timeout 60m ./engine/... ./app/client | tee bin/bench-node.txt
	$(if $(filter .,$(BENCH)),$(GO) run ./app/benchtest natively=bin/bench-native.txt Node=bin/bench-node.txt >bin/performance.md && mv bin/performance.md docs/performance.md)

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
	PEERNOMIC_SOAK=$(SOAK) $(GO) test -count=1 -timeout 0 -v -run '^TestSoak$$' ./app/simtest
	PEERNOMIC_TEST_KILLS=$(KILLS) $(GO) test -count=1 -timeout 0 -v -run '^TestKill' ./signal ./app/cli ./app/client
	PEERNOMIC_BINARY=$(NOMIC) PEERNOMIC_TEST_KILLS=$(KILLS) $(GO) test -count=1 -timeout 0 -v -run '^TestKill' ./app/e2e

.PHONY: release
release: ## what a release consists of, reproducible, of the commit that is checked out: in bin/release
	@rm -rf bin/source && git clone -q . bin/source
	@cd bin/source && $(MAKE) --no-print-directory app BROTLI=11 && $(GO) run ./app/release -out ../release
	@rm -rf bin/source && cat bin/release/SHA256SUMS

.PHONY: clean
clean: ## remove what was built; the data folder stays
	rm -rf bin web/static/app.wasm* web/static/wasm_exec.js

.PHONY: help
help: ## show this
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
