# make demo   sets everything up and referees the recording that comes with the program
# make test   sets everything up, checks the code and runs every test
# make bench  measures speed, as ratios within one run
# All of it stays in .venv; nothing is installed elsewhere.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint pytest bench setup setup-dev clean

demo: setup
	@$(BIN)/dominoref demo --out demo-output

test: lint pytest

lint: setup-dev
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo > $(VENV)/imports.log 2>&1 || { cat $(VENV)/imports.log; exit 1; }

pytest: setup-dev
	@$(BIN)/python -m pytest -q

bench: setup-dev
	@$(BIN)/python -m tests.benchmarks

setup: $(VENV)/ready
setup-dev: $(VENV)/ready-dev

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Dominoref needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "Python cannot make environments here; on Debian or Ubuntu: apt install python3-venv"; exit 1; }

$(VENV)/ready: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "setting up $(VENV) (once; needs the network)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/ready-dev: $(VENV)/ready
	@echo "adding what the tests need to $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) demo-output build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
