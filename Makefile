# make demo: from a fresh clone to a trained opponent.  make test: all checks.
# Both install what they need into .venv and can be run again and again.

PYTHON ?= python3
# Where to get torch from instead of the default index, for example
# make demo TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH_INDEX ?=
BIN := .venv/bin

.PHONY: help demo test check docs bench clean

help:
	@echo "make demo    install, train for two minutes, evaluate, show a deal"
	@echo "make test    install, lint, type check, and run all tests"
	@echo "make check   lint and type check only"
	@echo "make docs    write the generated tables of the documents anew"
	@echo "make bench   measure the speeds of docs/benchmarks.md"
	@echo "make clean   remove .venv, caches and runs"

# Torch comes first and alone: its version is the one of constraints.txt, which has a small
# CPU build, before anything else can ask for another.
.venv/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt \
		$(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group dev --editable ".[all]"
	@touch $@

demo: .venv/installed
	$(BIN)/python -m kitchentable_training.demo

check: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check
	$(BIN)/python -m pytest -n auto --dist worksteal
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n auto --dist worksteal -m "not compiled and not slow" tests/engine tests/cards tests/games
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" tests/cards tests/games

docs: .venv/installed
	$(BIN)/python docs/generate.py

bench: .venv/installed
	$(BIN)/kitchentable bench --training

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist runs
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
