# Set-up, the main job and the checks. `make demo` and `make test` need only Python 3.11, 3.12 or 3.13, git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start thousands of processes: compiling our modules anew in each of them takes longer than some of the tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint bench crash drill fuzz sites sites-check clean

$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14) and "plusone needs Python 3.11, 3.12 or 3.13: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,demo]'
	touch $@

# Sites that nobody here wrote, each in an environment of its own, for the tests. From Python 3.12 on an environment comes
# without setuptools, and so without the distutils that klaus imports.
SITES := httpbin ihatemoney klaus

.sites/%/.ready: tests/sites/%.txt
	$(PYTHON) -m venv .sites/$*
	.sites/$*/bin/python -m pip install --quiet --constraint tests/sites/$*.txt $* setuptools
	touch $@

sites: $(SITES:%=.sites/%/.ready)

# Ten views of each site are taken away, one at a time; each must be missed. It takes some minutes.
sites-check: $(VENV)/.ready sites
	PLUSONE_DELETED=10 $(BIN)/python -m pytest -n auto --timeout 1800 tests/test_sites.py

demo: $(VENV)/.ready
	$(BIN)/plusone demo

test: $(VENV)/.ready sites lint
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.ready
	$(BIN)/python -m tests.bench

crash: $(VENV)/.ready
	$(BIN)/python -m tests.crash 200

# An open-ended search for input that breaks a reader of untrusted text. It takes some minutes.
fuzz: $(VENV)/.ready
	PLUSONE_FUZZ=10000 $(BIN)/python -m pytest -n auto --timeout 3600 --durations 0 --durations-min 1 tests/fuzz

# Every scripted builder on the demo site and on httpbin; then every check switched off in turn must be missed.
drill: $(VENV)/.ready .sites/httpbin/.ready
	$(BIN)/python -m tests.drills

clean:
	rm -rf $(VENV) .sites build dist *.egg-info .mypy_cache .ruff_cache
