# What is asked of this repository, by people and by .ci/run alike. "make" lists it.

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
COMMIT := $(shell git rev-parse HEAD 2>/dev/null)
ADDR := $(or $(SKILLREGISTRY_ADDR),127.0.0.1:8080)
BIN := bin/skillregistry
# Where make run keeps its database.
DATA := .run

# Modules of this repository: the registry, the checks of deploy/, and the tools.
MODULES := . deploy/test .ci/tools
# Where goroutines share memory. What compares answers to one request after the other, and
# takes minutes under the race detector, is left out, and so are packages that start none.
RACE_PACKAGES := $(patsubst %,./internal/%/...,protocol search access oidc store catalog page httpapi telemetry) ./client/...
COMPARING := ^TestProperty|^TestSecretsLeaveNoTrace|^TestRegistryIsWhatItsModelSays|^TestMirrorHasTheIndex$$
COMPARING := $(COMPARING)|^TestEveryChangeOfAValidDocument|^TestOracleAgrees|^TestARestoredRegistryAnswers|^TestStoreIsWhatItsModelSays
COMPARING := $(COMPARING)|^TestSearchFindsWhatALook|^TestMirrorThatFollowsTheFeed|^TestRunsFollow|^TestIndexAgreesWithAPlainFilter|^TestALongFile|^TestAFileThatIsNotWhole
FUZZTIME := 20s
BENCH := .
SIZES := 1000 10000 100000

TALLY = go run -C .ci/tools ./tally
folders = $(addprefix $(CURDIR)/,$(1))

.DEFAULT_GOAL := help
.PHONY: help
help: ## list the targets
	@echo 'make TARGET, where TARGET is one of'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

.PHONY: run
run: build ## build, publish examples/ and serve on 127.0.0.1:8080, with SQLite in .run/
	@mkdir -p $(DATA)
	@echo
	@echo 'The registry will be at http://$(ADDR). Once it is up, paste these in another terminal:'
	@echo
	@echo '    curl http://$(ADDR)/.well-known/skills'
	@echo '    curl http://$(ADDR)/v1/skills/org.wikipedia.en.summary'
	@echo "    curl 'http://$(ADDR)/v1/validate?kind=descriptor' -H 'Content-Type: application/json' -d '{}'"
	@echo
	@echo 'or open http://$(ADDR)/ in a browser.'
	@echo
	@SKILLREGISTRY_ADDR=$(ADDR) \
	SKILLREGISTRY_DATABASE_URL=$${SKILLREGISTRY_DATABASE_URL:-sqlite:$(DATA)/skillregistry.db} \
	SKILLREGISTRY_PUBLISH_DIR=$${SKILLREGISTRY_PUBLISH_DIR:-examples} \
	exec $(BIN) serve

.PHONY: build
build: ## build bin/skillregistry, one static binary
	CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '-X main.version=$(VERSION) -X main.commit=$(COMMIT)' -o $(BIN) ./cmd/skillregistry

.PHONY: release
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64
release: ## build the archives of a release of this commit into dist/, with bills of materials and SHA256SUMS
	@.ci/release dist $(PLATFORMS)

.PHONY: release-test
release-test: ## build a release twice and compare the bytes; COLD=--cold shares nothing between the two
	@.ci/release-test $(COLD)

.PHONY: test test-go test-typescript test-clients test-browser
test: test-go test-typescript test-clients test-browser ## run every test, with a PostgreSQL and a Node.js of its own where there is none
test-go: build # so that the tests that build it find most of it done
	@.ci/need curl=curl jq=jq pgbouncer=pgbouncer prlimit=util-linux systemd-analyze=systemd
	@.ci/with-prometheus .ci/with-postgres $(TALLY) -timeout 20m -count=1 ./... -- $(call folders,$(MODULES))
test-typescript:
	@.ci/with-node typescript/test
test-clients:
	@.ci/with-node npm ci --prefix interop/skills $(NPM_CI)
	@.ci/with-node $(TALLY) -count=1 ./... -- $(call folders,interop)
test-browser:
	@.ci/need chromium=chromium curl=curl
	@.ci/with-node npm ci --prefix browser $(NPM_CI)
	@$(TALLY) -count=1 ./... -- $(call folders,browser)

.PHONY: screenshots
screenshots: ## write the pictures of docs/images anew
	@.ci/need chromium=chromium
	@.ci/with-node npm ci --prefix browser $(NPM_CI)
	@go test -C browser -tags screenshots -count=1 -run TestScreenshots .

.PHONY: clients
NPM_CI := --silent --prefer-offline --no-audit --no-fund
clients: ## install published skills with real clients: skills, opencode and skillkit (Linux on x86-64)
	@for client in skills opencode skillkit; do .ci/with-node npm ci --prefix interop/$$client $(NPM_CI) || exit 1; done
	@.ci/with-node $(TALLY) -tags clients -timeout 15m -count=1 ./... -- $(call folders,interop)

.PHONY: replicas
replicas: build ## play histories on replicas, and stop, kill and fail over their database
	@.ci/need pgbouncer=pgbouncer
	@.ci/with-prometheus .ci/with-postgres go test -tags replicas -count=1 ./cmd/skillregistry

.PHONY: chaos
# The tests of faults; cmd/skillregistry/chaos_test.go says what is where.
CHAOS := AKill|Disk|WithoutAConnection|MigrateAtOnce|Signal|ClockThat|CanNotBeWritten|OfAnotherProgram
CHAOS := $(CHAOS)|TestServerThat|ThatLeave|WhileTheCommit|WhoseConnection|WhoseOutcome|StopsAndStarts|Hangs
KILLS := 100
chaos: build ## kill the registry KILLS=100 times on each store, and break all that it stands on
	@.ci/need pgbouncer=pgbouncer prlimit=util-linux
	@log=$$(mktemp); status=0; \
	SKILLREGISTRY_TEST_KILLS=$(KILLS) .ci/with-postgres go test -tags replicas -count=1 -timeout 10m -v -run '$(CHAOS)' \
		./internal/store ./internal/httpapi ./cmd/skillregistry >"$$log" 2>&1 || status=$$?; \
	if [ $$status = 0 ]; then grep -E '^(ok|--- PASS)|_test.go:' "$$log"; else cat "$$log"; fi; \
	rm -f "$$log"; exit $$status

.PHONY: check
check: format vet staticcheck actionlint tidy architecture ## format, vet, staticcheck, actionlint, tidy modules, and who imports whom

.PHONY: format vet staticcheck actionlint tidy architecture
format:
	@test -z "$$(gofmt -l .)" || { echo 'gofmt would change:'; gofmt -l .; exit 1; }
vet:
	go vet ./...
	$(foreach m,.ci/tools deploy/test interop bench,go -C $(m) vet ./... &&) true
staticcheck:
	go tool -modfile=.ci/tools/go.mod staticcheck ./...
actionlint: # without programs that may be there or not
	go tool -modfile=.ci/tools/go.mod actionlint -no-color -shellcheck= -pyflakes= deploy/github-action/example.yml
tidy:
	$(foreach m,$(MODULES) browser interop bench,go -C $(m) mod tidy -diff &&) true
architecture:
	go test -count=1 -run 'Test.*Import' .

.PHONY: race
race: ## run the tests of the registry under the race detector, but for the properties
	@.ci/need gcc=build-essential
	@CGO_ENABLED=1 .ci/with-postgres $(TALLY) -race -short -skip '$(COMPARING)' -timeout 20m -count=1 $(RACE_PACKAGES) -- $(CURDIR)

.PHONY: bench
bench: build ## measure the registry beside net/http, nginx and a database, for SIZES="1000 …" skills
	@.ci/need wrk=wrk nginx=nginx-light
	@go build -C bench -o $(CURDIR)/bin/bench .
	@.ci/with-postgres bin/bench -sizes '$(SIZES)' $(BENCHFLAGS)

.PHONY: gobench
gobench: ## run the Go benchmarks; BENCH=REGEXP chooses
	@.ci/with-postgres go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME=20s, and hold the TypeScript package to what they found
	@for file in $$(grep -rl --include='*_test.go' '^func Fuzz' internal client cmd); do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$file); do \
			echo "$$target in $$file"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s ./$$(dirname $$file) || exit 1; \
		done; \
	done
	@found=$$(go env GOCACHE)/fuzz/$$(go list ./internal/protocol); \
	mkdir -p $$found/FuzzParse $$found/FuzzOracle $$found/FuzzCanonicalize; \
	SKILLREGISTRY_TEST_FOUND=$$found/FuzzParse:$$found/FuzzOracle:$$found/FuzzCanonicalize .ci/with-node typescript/test tests/verdict.test.ts

.PHONY: image-test
image-test: ## build the Dockerfile, run the image read-only and use it (root, Debian)
	@.ci/image-test

.PHONY: clean
clean: ## remove what was built, and the database of make run
	rm -rf bin .run dist
