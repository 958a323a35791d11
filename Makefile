# Every target sets up what it needs, so each works as the very first command on a fresh machine.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.ready-run
DEV    := $(VENV)/.ready-dev
BENCH  := $(VENV)/.ready-bench

.DEFAULT_GOAL := help
.PHONY: help setup demo test check format bench fuzz continuity screenshot clean

help:
	@echo "make demo    run the built-in example: tables, plots and a page in demo-results/"
	@echo "make test    run all tests"
	@echo "make check   formatting, lint, types, import contracts, documentation"
	@echo "make bench   measure speed, as ratios to peers in the same run"
	@echo "make continuity  sweep every coordinate of the shared models: where do paths jump, here and in OpenSim?"
	@echo "make fuzz    read 100,000 damaged files of every format"
	@echo "make screenshot  take the README's picture of the demo's page (needs Chromium)"
	@echo "make setup   only make the environment (.venv) with everything above"
	@echo "make format  rewrite the sources in the house format"

# A marker is written only after a complete install. Where both are missing, an earlier run was
# interrupted (or none happened) and the environment is made anew rather than trusted.
$(RUN): pyproject.toml
	@if [ ! -f $(RUN) ] && [ ! -f $(DEV) ]; then $(PYTHON) -m venv --clear $(VENV); fi
	@rm -f $(RUN)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[symbolic]"
	@touch $(RUN)

$(DEV): pyproject.toml $(RUN)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[symbolic,c3d,test,check]"
	@touch $(DEV)

# Peers for comparison are taken where they come compiled; where one does not, those already there do.
$(BENCH): pyproject.toml $(DEV)
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary=:all: --editable ".[bench]"
	@touch $(BENCH)

setup: $(DEV)

demo: $(RUN)
	$(BIN)/borelli demo --out demo-results

test: $(DEV)
	$(BIN)/python -m pytest -n 2

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/check_docs.py

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BENCH)
	$(BIN)/python benchmarks/run.py

continuity: $(DEV)
	$(BIN)/python -m tests.laws.path_continuity

fuzz: $(DEV)
	$(BIN)/python -m tests.fuzz.run

screenshot: $(DEV)
	$(BIN)/borelli demo --out demo-results
	$(BIN)/python tools/screenshot.py demo-results/report.html docs/images/report.png

clean:
	rm -rf $(VENV) demo-results build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
