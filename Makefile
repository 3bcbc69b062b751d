# The commands for people. Every target first installs what it needs and is missing.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
export PYTHONDONTWRITEBYTECODE :=  # the tests start hundreds of processes, each of which would compile everything
WORKERS := 3  # processes that test; some tests wait for others, so there are more than cores
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: run test check format test-long coverage bench docs dist lock clean

run: $(VENV)/.run        ## reproduce the whole paper, with a report in results/
	$(BIN)/walkon reproduce

test: $(VENV)/.dev       ## all tests, doctests included
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

check: $(VENV)/.dev      ## format, lint, types, then all tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(MAKE) test

format: $(VENV)/.dev     ## format the code, and fix what the linter can fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

test-long: $(VENV)/.dev  ## all tests with many more examples, and the long fault, fuzz and load tests
	WALKON_LONG=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "long or not long"

coverage: $(VENV)/.dev   ## report the lines that no test runs, compiled kernels excepted
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --cov --cov-report=term --cov-report=xml

bench: $(VENV)/.run      ## measure the speed of walkon on this machine
	$(BIN)/walkon bench
	$(BIN)/python benchmarks/formats.py

docs: $(VENV)/.docs      ## build the documentation site into site/
	$(BIN)/zensical build --clean --strict
	if $(BIN)/walkon export-page --help >/dev/null 2>&1; then $(BIN)/walkon export-page site/play; fi  # for docs/index.md

dist: $(VENV)/.run        ## build wheel and source distribution into dist/; the same commit gives the same bytes
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m hatchling build -t sdist -t wheel

COMPILE = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-header --no-emit-index-url pyproject.toml

lock:                    ## update the lock files (needs uv)
	$(COMPILE) requirements/build.in -o requirements/run.txt
	$(COMPILE) requirements/build.in --extra dev -c requirements/run.txt -o requirements/dev.txt
	$(COMPILE) requirements/build.in --extra docs -c requirements/dev.txt -o requirements/docs.txt
	$(COMPILE) --extra service -c requirements/dev.txt -o requirements/service.txt
	$(COMPILE) --extra web -c requirements/dev.txt -o requirements/web.txt

clean:                   ## remove the environment, all caches and build results
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis site dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# One stamp file for each lock file. The package itself is installed in place.
$(VENV)/.%: requirements/%.txt pyproject.toml | $(VENV)/bin/python
	$(PIP) install --quiet --require-hashes -r $<
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	touch $@
