# make demo   sets everything up and referees the recording that comes with the program
# make test   sets everything up, checks the code and runs every test
# make bench  measures speed, as ratios within one run
# All of it stays in .venv; nothing is installed elsewhere.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint pytest test-oldest bench setup setup-dev clean

demo: setup
	@$(BIN)/dominoref demo --out demo-output

test: lint pytest

lint: setup-dev
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo > $(VENV)/imports.log 2>&1 || { cat $(VENV)/imports.log; exit 1; }

pytest: setup-dev
	@$(BIN)/python -m pytest -q

# The eye has to see the same on the oldest OpenCV that is supported.
test-oldest: setup-dev
	@test -x $(VENV)-oldest/bin/python || $(PYTHON) -m venv $(VENV)-oldest
	@$(VENV)-oldest/bin/python -m pip install --quiet --disable-pip-version-check \
	  opencv-python==4.10.0.84 numpy==2.4.6 pyserial==3.5 msgspec==0.23.0 pytest==9.2.0 hypothesis==6.170.17 pypdfium2==5.15.2
	@$(VENV)-oldest/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@$(VENV)-oldest/bin/python -m pytest -q tests/vision tests/calibration tests/tracking

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
	rm -rf $(VENV) $(VENV)-oldest demo-output build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
