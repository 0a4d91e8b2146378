# Every target sets up .venv by itself when it is missing or older than what it is made from.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH_READY := $(VENV)/.ready-bench

.PHONY: help setup demo test format lint types check bench clean
.DEFAULT_GOAL := help

help:  ## list what one can do here
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Mazzo needs Python 3.11 or newer; point to one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setting up $(VENV) (once)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

$(BENCH_READY): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
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

clean:  ## remove the environment and what tools left behind
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
