# Every target sets up .venv by itself when it is missing or older than what it is made from.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# In steps: the core and what the demo's first steps need; all of Mazzo; the tools that check it; ...
CORE_READY := $(VENV)/.ready-core
READY := $(VENV)/.ready
DEV_READY := $(VENV)/.ready-dev
BENCH_READY := $(VENV)/.ready-bench
DOCS_READY := $(VENV)/.ready-docs
BROWSER_READY := $(VENV)/.ready-browser

# uv where it is there, else pip. Neither compiles what it installs: Python does so for what is imported.
ifneq ($(shell command -v uv 2>/dev/null),)
NEW_VENV := uv venv --quiet --python $(PYTHON) $(VENV)
INSTALL := uv pip install --quiet --python $(BIN)/python -c constraints.txt
else
NEW_VENV := $(PYTHON) -m venv $(VENV)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --prefer-binary -c constraints.txt
endif
# The packages of an extra, without Mazzo itself, which is there already and may be running.
PACKAGES := $(BIN)/python .ci/packages.py

.PHONY: help setup demo serve warm test test-browser screenshots format lint types check bench docs docs-check pages quick-studies studies leagues clean
.DEFAULT_GOAL := help

help:  ## list what one can do here
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(CORE_READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Mazzo needs Python 3.11 or newer; point to one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@test -x $(BIN)/python || $(NEW_VENV)
	@echo "setting up $(VENV) (once)" >&2
	@$(INSTALL) -e . scikit-learn
	@touch $@

$(READY): $(CORE_READY)
	@$(INSTALL) $$($(PACKAGES) all)
	@touch $@

# The tests turn warnings into errors, also those of compiling somebody else's module: that is done here, on all cores.
$(DEV_READY): $(READY)
	@$(INSTALL) $$($(PACKAGES) dev)
	@$(BIN)/python -m compileall -q -j 0 $(VENV)/lib >/dev/null 2>&1 || true
	@touch $@

$(BENCH_READY): $(DEV_READY)
	@$(INSTALL) $$($(PACKAGES) bench)
	@touch $@

$(DOCS_READY): $(READY)
	@$(INSTALL) $$($(PACKAGES) docs)
	@touch $@

$(BROWSER_READY): $(DEV_READY)
	@$(INSTALL) $$($(PACKAGES) browser)
	@touch $@

setup: $(READY)  ## make the environment in .venv and stop there
	@echo "mazzo is in $(BIN): $(BIN)/mazzo --help; make serve opens the table in the browser"

# What is not needed at first is installed while the first steps run; demo waits for $(READY) where it needs it.
demo: $(CORE_READY)  ## set up, then run the main job: a hero from 5,000 hands, all three games, one report
	@rm -f $(READY)-failed
	@if $(MAKE) --no-print-directory -q $(READY) 2>/dev/null; then $(BIN)/mazzo demo; else \
	  { $(MAKE) --no-print-directory $(READY) >$(VENV)/setup.log 2>&1 || touch $(READY)-failed; } & \
	  $(BIN)/mazzo demo --after $(READY); fi

test: $(DEV_READY)  ## set up, then run the tests
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

warm: $(READY)  ## compile ahead what the usual commands need
	@$(BIN)/mazzo warm

format: $(DEV_READY)  ## put the code in the usual form
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

lint: $(DEV_READY)  ## check form, lint and which part may import which, changing nothing
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports --no-logo

types: $(DEV_READY)  ## check the types
	@$(BIN)/mypy

check: test lint types  ## all that CI runs

ifdef BASE
bench: $(DEV_READY)
	@$(BIN)/python -m benchmarks.against_revision $(BASE)
else
bench: $(BENCH_READY)  ## measure speed against named peers; make bench BASE=<revision>: against that revision
	@$(BIN)/python -m benchmarks
endif

docs: $(DOCS_READY)  ## build the documentation into site/; a link that leads nowhere fails
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

docs-check: $(READY)  ## run every command that the documentation shows with its output, and compare
	@$(BIN)/python docs/check_commands.py

pages: $(READY)  ## draw the pictures and write the pages of the documentation that are made from the source
	@$(BIN)/python docs/make_pictures.py
	@$(BIN)/python docs/make_observations.py

quick-studies: $(READY)  ## run the quick form of the studies of Vilella and Kischka
	@for study in vilella kischka; do \
	  results=$$(mktemp -u).jsonl; \
	  $(BIN)/mazzo study run $$study --quick --workers 2 --quiet -o $$results > $$results.txt || exit 1; \
	  tail -n 1 $$results.txt | cut -d. -f1; rm -f $$results $$results.txt; \
	done

leagues: $(READY)  ## play the leagues (what is done is kept) and write docs/leagues.md anew
	@$(BIN)/python docs/make_leagues.py

studies: $(READY)  ## run every study in full (what is done is kept) and write docs/studies anew
	@$(BIN)/python docs/make_studies.py

clean:  ## remove the environment and what tools left behind
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .bench build dist site
