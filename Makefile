# Every target sets up .venv by itself when it is missing or older than what it is made from.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH_READY := $(VENV)/.ready-bench
DOCS_READY := $(VENV)/.ready-docs
BROWSER_READY := $(VENV)/.ready-browser

.PHONY: help setup demo serve test test-browser screenshots format lint types check bench docs studies clean
.DEFAULT_GOAL := help

help:  ## list what one can do here
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Mazzo needs Python 3.11 or newer; point to one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up $(VENV) (once)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

$(BENCH_READY): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch $@

$(DOCS_READY): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@touch $@

$(BROWSER_READY): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[browser]'
	@touch $@

setup: $(READY)  ## make the environment in .venv and stop there

demo: $(READY)  ## set up, then run the main job: a hero from 5,000 hands, all three games, one report
	@$(BIN)/mazzo demo

test: $(READY)  ## set up, then run the tests
	@$(BIN)/python -m pytest

test-browser: $(BROWSER_READY)  ## run the browser tests in Debian's chromium, installing it where that can be done
	@if ! { test -n "$$CHROMIUM" || command -v chromium || command -v chromium-browser; } >/dev/null; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing chromium (once)" >&2; { apt-get update && apt-get install -y --no-install-recommends chromium; } >/dev/null; \
	  else echo "The browser tests need Chromium: sudo apt-get install chromium, or set CHROMIUM to one." >&2; exit 1; fi; fi
	@$(BIN)/python -m pytest tests_browser

screenshots: $(BROWSER_READY)  ## take the pictures of every page for the documentation
	@$(BIN)/python docs/take_screenshots.py

serve: $(READY)  ## open the table in the browser
	@$(BIN)/mazzo serve

format: $(READY)  ## put the code in the usual form
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

lint: $(READY)  ## check form and lint, changing nothing
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

types: $(READY)  ## check the types
	@$(BIN)/mypy

check: test lint types  ## all that CI runs

bench: $(BENCH_READY)  ## measure speed, as ratios to named peers in the same run
	@$(BIN)/python -m benchmarks

docs: $(DOCS_READY)  ## build the documentation into site/; a link that leads nowhere fails
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

studies: $(READY)  ## run every study in full (what is done is kept) and write docs/studies anew
	@$(BIN)/python docs/make_studies.py

clean:  ## remove the environment and what tools left behind
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist site
