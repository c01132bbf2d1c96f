# What a person types. `make` alone says what there is.
.DEFAULT_GOAL := help
.PHONY: help run test soak bench lint docs check deps test-deps bench-deps build release clean

SWIFT ?= swift
BINARY := .build/release/broadsheet
HOST ?= 127.0.0.1
PORT ?= 8080
STORE ?= memory

help:            ## list the targets
	@sed -n 's/^\([a-z-]*\): .*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

run: release     ## build for release and start the daemon on 127.0.0.1:8080, screens in memory
	$(BINARY) serve --host $(HOST) --port $(PORT) --store '$(STORE)' --log text

test: release test-deps     ## every test there is, end-to-end ones against the release binary
	python3 Tests/Oracle/test_oracle.py
	python3 Tests/Oracle/record_goldens.py --check
	BROADSHEET_BINARY=$(CURDIR)/$(BINARY) $(SWIFT) test --disable-xctest

soak: release test-deps     ## the crash rounds at their full number: a killed daemon loses nothing acknowledged
	BROADSHEET_CRASH_ROUNDS=50 BROADSHEET_BINARY=$(CURDIR)/$(BINARY) $(SWIFT) test --disable-xctest \
		--filter EndToEndTests.EndToEnd.Crashing

bench: release bench-deps    ## the benchmark table, each figure with its yardstick
	$(SWIFT) build -c release --product broadsheet-bench
	.build/release/broadsheet-bench

lint: deps       ## formatting, and the syntax of scripts
	$(SWIFT) format lint --strict -r -p Sources Tests Package.swift
	.ci/check-scripts

check: lint build    ## lint, then a build in which warnings are errors

docs: release    ## rebuild what documents are made of, and say what changed
	Tests/Oracle/regenerate
	docs/pictures/draw

deps:            ## install what building and testing need
	@.ci/install-packages swift c-library sqlite-library git curl python3

test-deps: deps
	@.ci/install-packages redis-server nginx openssl systemd-analyze

bench-deps: deps
	@.ci/install-packages wrk node nginx curl

build: deps      ## build everything for debugging, tests included
	$(SWIFT) build --build-tests

release: deps    ## build the daemon for release
	$(SWIFT) build -c release --product broadsheet

clean:           ## remove everything that was built
	rm -rf .build
