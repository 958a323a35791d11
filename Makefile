# Every target sets up what it needs, so each works as the very first command on a fresh machine.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.ready-run
DEV    := $(VENV)/.ready-dev
BENCH  := $(VENV)/.ready-bench
# Models and files, kernels, and OpenSim's numbers for models of our own.
QUICK  := tests/test_import.py tests/test_errors.py tests/test_shared_data.py tests/model tests/kernels/test_functions.py \
          tests/kernels/test_tree.py tests/kernels/test_back_ends.py tests/kernels/lanes/test_lane_cache.py \
          tests/conformance/test_own_cases.py tests/analyses/test_inverse_dynamics.py tests/analyses/test_forward_dynamics.py \
          tests/analyses/test_undetermined_accelerations.py tests/planar/test_analysis.py tests/results/test_save.py \
          tests/cli/test_main.py

.DEFAULT_GOAL := help
.PHONY: help setup docs demo test quick widths lowest check format bench fuzz continuity screenshot clean

help:
	@echo "make demo    run the built-in example: tables, plots and a page in demo-results/"
	@echo "make test    run all tests: about seven minutes on two cores from an empty cache"
	@echo "make quick   run the tests that show most in under a minute, once kernels are compiled"
	@echo "make widths  run the lane tests and the comparison with OpenSim at every vector width and with NumPy"
	@echo "make lowest  run the demo and a smoke test with the oldest versions that pyproject.toml admits"
	@echo "make check   formatting, lint, types, import contracts, documentation and its site"
	@echo "make docs    build the site into build/site: open build/site/index.html"
	@echo "make bench   measure speed, as ratios to peers in the same run"
	@echo "make continuity  sweep every coordinate of the shared models: where do paths jump, here and in OpenSim?"
	@echo "make fuzz    read 100,000 damaged files of every format (FUZZ=\"--count 1000 result\" for fewer)"
	@echo "make screenshot  take the README's pictures of the demos' pages (needs Chromium)"
	@echo "make setup   only make the environment (.venv) with everything above"
	@echo "make format  rewrite the sources in the house format"

# A marker is written only after a complete install. Where both are missing, an earlier run was
# interrupted (or none happened) and the environment is made anew rather than trusted.
$(RUN): pyproject.toml
	@if [ ! -f $(RUN) ] && [ ! -f $(DEV) ]; then $(PYTHON) -m venv --clear $(VENV); fi
	@rm -f $(RUN)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[symbolic]"
	@# As an installed wheel has it, so that commands start as quickly, whatever PYTHONDONTWRITEBYTECODE says.
	@$(BIN)/python -m compileall -q src
	@touch $(RUN)

$(DEV): pyproject.toml $(RUN)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[symbolic,test,check,docs,notebooks]"
	@touch $(DEV)

# Peers for comparison are taken where they come compiled; where one does not, those already there do.
$(BENCH): pyproject.toml $(DEV)
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary=:all: --editable ".[bench]"
	@touch $(BENCH)

setup: $(DEV)

demo: $(RUN)
	$(BIN)/borelli demo --out demo-results

# Rewritten assertions are kept for the next run, whatever PYTHONDONTWRITEBYTECODE says: rewriting takes ten seconds.
test quick: export PYTHONDONTWRITEBYTECODE =
# Each worker has a processor of its own: threads that NumPy and SciPy start beside it only wait for each other.
test quick: export OPENBLAS_NUM_THREADS = 1
# Neighbouring tests stay with one worker until another has nothing left: what they compile or prepare is done once.
# Three workers on two cores: some tests wait, for a browser or for a process that is killed.
test: $(DEV)
	$(BIN)/python -m pytest -n 3 --dist worksteal

quick: $(DEV)
	$(BIN)/python -m pytest -n 2 --dist worksteal $(QUICK)

widths: $(DEV)
	$(BIN)/python tools/try_widths.py

lowest: $(DEV)
	$(BIN)/python tools/lowest_bounds.py

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/check_docs.py
	@$(SITE)

# Strict: a warning, such as a broken link or a page that is in no menu, is an error.
SITE := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
docs: $(DEV)
	$(SITE)
	@echo "open build/site/index.html"

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# "make bench ik paths" measures these alone.
BENCHMARKS := $(patsubst benchmarks/%.py,%,$(wildcard benchmarks/*.py))
bench: $(BENCH)
	$(BIN)/python benchmarks/run.py $(filter $(BENCHMARKS),$(MAKECMDGOALS))

ifneq ($(filter bench,$(MAKECMDGOALS)),)
$(filter-out bench,$(filter $(BENCHMARKS),$(MAKECMDGOALS))):
	@:
endif

continuity: $(DEV)
	$(BIN)/python -m tests.laws.path_continuity

fuzz: $(DEV)
	$(BIN)/python -m tests.fuzz.run $(FUZZ)

screenshot: $(DEV)
	$(BIN)/borelli demo walk --out demo-results
	$(BIN)/python tools/screenshot.py demo-results/report.html docs/images
	$(BIN)/python tools/moving_picture.py demo-results/report.html docs/images/walk.webp
	$(BIN)/python -c "from PIL import Image; Image.open('demo-results/pictures/walk_reactions.png').save('docs/images/walk_reactions.webp', quality=85, method=6)"
	$(BIN)/python tools/example_pictures.py

clean:
	rm -rf $(VENV) .venv-lowest demo-results build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
