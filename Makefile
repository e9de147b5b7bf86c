# Each target makes its own .venv when there is none; nothing is needed but Python 3.11+ and pip.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check bench docs clean

demo: .venv/installed
	$(BIN)/kwsuite demo

test: .venv/installed
	$(BIN)/pytest

check: .venv/installed
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench
	$(BIN)/mypy
	$(BIN)/inspect-evals-lint --preset single-eval kwsuite
	$(BIN)/kwsuite check

.venv/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist
