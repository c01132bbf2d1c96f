# The commands for building, testing and running. `make` lists them.
.DEFAULT_GOAL := help
.PHONY: help run test soak fuzz sanitize attack bench capacity lint docs reference check install package deps test-deps bench-deps \
	build test-build computing embedding release clean

SWIFT ?= swift
# With Swift's runtime in the program, so that its functions are called directly. A trace of a crash
# has functions and no lines: debug information takes a fifth of the compiler's time. Nothing loads
# the program, so it exports nothing, and the linker removes what it does not call. The addresses that
# the loader adjusts are packed, which glibc 2.36 reads: a twentieth of the file.
RELEASE := $(SWIFT) build -c release -Xswiftc -static-stdlib -debug-info-format none \
	-Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs
# Only editors read the index, and it takes a sixth of the compiler's time; debug information takes
# an eighth, and tests name their lines without it. WHOLE_MODULES=1 takes another sixth less, but then
# a changed file compiles its module again.
UNINDEXED := --disable-index-store -Xswiftc -gnone \
	$(if $(WHOLE_MODULES),-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)
# The folder is not that of the release build, so that both builds can run at once: the compiler uses
# one core for much of the release build.
DEBUG := --scratch-path .build/tests --disable-xctest --enable-swift-testing $(UNINDEXED)
# A run takes 5 to 10 minutes. One that hangs must end, so that its output is seen.
TEST := .ci/test timeout --kill-after=60 45m $(SWIFT) test $(DEBUG)
# The tests that compute occupy all cores for minutes. They come first, beside the release build, so that
# they do not delay those that talk to servers, whose time limits are real.
COMPUTING := '^(BroadsheetTests|BroadsheetTextTests|BroadsheetServiceTests|FuzzTests)\.'
BINARY := .build/release/broadsheet
HOST ?= 127.0.0.1
PORT ?= 8080
STORE ?= memory
# The origins whose pages may use the daemon of `make run`: those of docs/web.md.
ORIGINS ?= http://127.0.0.1:8000,http://localhost:8000
CATALOG ?=
CASES ?= 1000000
SEED ?=
SANITIZERS ?= thread address
LOADS ?=

BUILD_NEEDS := swift c-library sqlite-library zlib-library nettle-library harfbuzz-library icu-library \
	curl-library openssl-library postgres-library \
	git curl python3
# The fonts with which texts are measured in the tests.
FONTS := noto-fonts noto-cjk-fonts inter-fonts dejavu-fonts
PACKAGE_NEEDS := dpkg-deb dpkg-shlibdeps

CLIENT_TOOLS := .build/client-tools

PREFIX ?= /usr/local
DESTDIR ?=
STATIC_BUILD := .build-static
STATIC_BINARY := $(STATIC_BUILD)/broadsheet
STATIC_SOURCES := Package.swift $(shell find Sources -type f)
PACKAGES := $(STATIC_BUILD)/packages
PACKAGED_FILES := $(STATIC_BINARY) .ci/package Makefile LICENSE CHANGELOG.md docs/deploy/broadsheet.service \
	docs/deploy/broadsheet.socket docs/deploy/nginx.conf

help:            ## list the targets
	@sed -n 's/^\([a-z-]*\): .*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

run: release     ## build for release and start the daemon on 127.0.0.1:8080, with screens in memory; CATALOG=FILE sets the catalog
	$(BINARY) serve --host $(HOST) --port $(PORT) --store '$(STORE)' --log text \
		--cors-origin '$(ORIGINS)' \
		$(if $(CATALOG),--catalog '$(CATALOG)')

test:            ## run all tests, the end-to-end tests with the release binary; PACKAGED=1 makes packages to test
	$(MAKE) -j3 computing release
	$(if $(PACKAGED),$(MAKE) package)
	python3 Tests/Style/test_check_style.py
	python3 Tests/Oracle/test_oracle.py
	python3 Tests/Oracle/test_conformance.py
	python3 Tests/Oracle/record_goldens.py --check
	BROADSHEET_PACKAGES=$$(make -qs $(PACKAGES)/complete && echo '$(CURDIR)/$(PACKAGES)') \
		BROADSHEET_BINARY=$(CURDIR)/$(BINARY) $(TEST) --skip $(COMPUTING)

soak: release test-deps     ## run ROUNDS=10 rounds of each failure and restart under load, crash tests five times as many
	BROADSHEET_ROUNDS=$(or $(ROUNDS),10) BROADSHEET_BINARY=$(CURDIR)/$(BINARY) .ci/test $(SWIFT) test $(DEBUG) \
		--filter 'EndToEndTests.EndToEnd(Failures.Crashing|.(Feeds|RollingRestarts|SocketActivation|Streams.lostNotifications))' \
		--filter 'BroadsheetStoresTests.Postgres(Failover|Promotion|Replay|Space)Tests' \
		--filter 'BroadsheetStoresTests.Redis(ReplayTests|SentinelTests.failover)'

fuzz: deps       ## run CASES=1000000 random inputs through all parsers, with libFuzzer if there is one; SEED=N sets the seed
	SWIFT=$(SWIFT) Tests/FuzzTests/fuzz $(CASES) $(SEED)

sanitize: test-deps     ## run the tests with ThreadSanitizer, then with AddressSanitizer; SANITIZERS=thread selects one
	SWIFT=$(SWIFT) Tests/Sanitizers/sanitize $(SANITIZERS)

attack: release  ## attack the daemon with hostile loads, and print its memory and latencies; LOADS='violations resets' selects some
	python3 Tests/Attack/attack.py $(BINARY) $(LOADS)

bench: release bench-deps    ## print the benchmarks, each with its baseline
	BROADSHEET_BENCH=1 $(RELEASE) --product broadsheet-bench
	.build/release/broadsheet-bench

capacity: release bench-deps    ## measure the figures of docs/operations.md, "Capacity", in ROUNDS=3 rounds
	BROADSHEET_BENCH=1 $(RELEASE) --product broadsheet-bench
	python3 Tests/Bench/capacity.py .build/release/broadsheet-bench $(ROUNDS)

lint: deps       ## check formatting and the syntax of scripts
	$(SWIFT) format lint --strict -r -p Sources Tests Package.swift
	.ci/check-scripts
	python3 Tests/Style/check_style.py

check: lint build    ## lint, then build with warnings as errors

docs: release reference    ## regenerate golden trees and pictures, and print the changes
	Tests/Oracle/regenerate
	docs/pictures/draw

reference: deps   ## build the reference of the libraries into .build/reference; warnings are errors
	SWIFT=$(SWIFT) .ci/reference $(DEBUG)

install: $(STATIC_BINARY)     ## install the daemon below $(DESTDIR)$(PREFIX), /usr/local by default
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/lib/systemd/system' \
		'$(DESTDIR)$(PREFIX)/share/doc/broadsheet'
	install -m 755 $(STATIC_BINARY) '$(DESTDIR)$(PREFIX)/bin/broadsheet'
	sed 's|/usr/local/bin/|$(PREFIX)/bin/|' docs/deploy/broadsheet.service \
		> '$(DESTDIR)$(PREFIX)/lib/systemd/system/broadsheet.service'
	chmod 644 '$(DESTDIR)$(PREFIX)/lib/systemd/system/broadsheet.service'
	install -m 644 docs/deploy/broadsheet.socket '$(DESTDIR)$(PREFIX)/lib/systemd/system'
	install -m 644 LICENSE '$(DESTDIR)$(PREFIX)/share/doc/broadsheet/copyright'
	install -m 644 CHANGELOG.md docs/deploy/nginx.conf '$(DESTDIR)$(PREFIX)/share/doc/broadsheet'

package: $(PACKAGES)/complete     ## make a .tar.gz and a .deb that run on machines without Swift
	@ls -l $(PACKAGES)

$(PACKAGES)/complete: $(PACKAGED_FILES)
	@.ci/install-packages $(PACKAGE_NEEDS)
	.ci/package $(PACKAGES)
	touch $@

# The one file that `install` and `package` ship: the release build, stripped.
$(STATIC_BINARY): $(STATIC_SOURCES)
	@.ci/install-packages $(BUILD_NEEDS)
	$(RELEASE) --product broadsheet
	mkdir -p $(STATIC_BUILD)
	strip -o $@ $(BINARY)

deps:            ## install the packages that building requires
	@.ci/install-packages $(BUILD_NEEDS)

test-deps: deps $(CLIENT_TOOLS)/complete
	@.ci/install-packages redis-server postgresql pgbouncer nginx openssl systemd-analyze chromium node tsc kotlinc $(FONTS)

# A virtual environment: the tests generate a client from the OpenAPI document, and fuzz the daemon.
$(CLIENT_TOOLS)/complete: Tests/Clients/requirements.txt Tests/Browsers/requirements.txt | deps
	@.ci/install-packages python3 python-venv
	rm -rf $(CLIENT_TOOLS)
	python3 -m venv $(CLIENT_TOOLS)
	$(CLIENT_TOOLS)/bin/pip install -q --disable-pip-version-check -r $<
	$(CLIENT_TOOLS)/bin/pip install -q --disable-pip-version-check --no-deps -r Tests/Browsers/requirements.txt
	touch $@

bench-deps: deps
	@.ci/install-packages wrk node nginx curl chromium postgresql redis-server $(FONTS)

build: deps      ## build everything for debugging, including tests and benchmarks
	BROADSHEET_BENCH=1 $(SWIFT) build --build-tests $(DEBUG)

test-build: deps
	$(SWIFT) build --build-tests $(DEBUG)

computing: test-deps test-build
	$(TEST) --filter $(COMPUTING)

# A package that depends on this one, as another team's would. It takes the libraries that are built for
# the tests.
embedding: deps
	$(SWIFT) build --package-path Tests/Embedding $(DEBUG)

release: deps    ## build the daemon for release
	$(RELEASE) --product broadsheet

clean:           ## remove all build products
	rm -rf .build .build-fuzz .build-thread .build-address $(STATIC_BUILD)
