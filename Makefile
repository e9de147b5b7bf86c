# Each target makes its own .venv when there is none; nothing is needed but Python 3.11+ and pip.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check docs pictures clean

demo: .venv/installed
	$(BIN)/kwsuite demo

test: .venv/installed
	$(BIN)/pytest -n logical --dist loadfile

check: .venv/installed
	$(BIN)/ruff check src tests bench docs
	$(BIN)/ruff format --check src tests bench docs
	$(BIN)/mypy
	$(BIN)/inspect-evals-lint --preset single-eval kwsuite
	$(BIN)/kwsuite check

# Builds from what is here alone: no page, font or script is fetched, then or by readers.
docs: .venv/installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

pictures: .venv/installed
	$(BIN)/python docs/pictures.py

.venv/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist site
