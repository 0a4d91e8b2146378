# Every target sets up .venv by itself when it is missing or older than what it is made from.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH_READY := $(VENV)/.ready-bench
DOCS_READY := $(VENV)/.ready-docs

.PHONY: help setup demo test format lint types check bench docs studies clean
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

setup: $(READY)  ## make the environment in .venv and stop there

demo: $(READY)  ## set up, then run the main job: a hero from 5,000 hands, all three games, one report
	@$(BIN)/mazzo demo

test: $(READY)  ## set up, then run the tests
	@$(BIN)/python -m pytest

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
