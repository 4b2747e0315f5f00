PYTHON ?= python3
BIN := .venv/bin
unexport PYTHONDONTWRITEBYTECODE  # without its files, each worker would compile all tests anew

BASE ?= main
parallel = $(BIN)/pytest -n 4 --dist loadfile --no-loadscope-reorder
or_again = || test $$? = 1 -a -n "$(AGAIN)"  # tests.again runs what failed

.PHONY: crawl browser test test-all test-changed bench sweeps real systems tables pictures lock docs clean

crawl: .venv/crawl.done  ## make crawl URL=https://example.com [ARGS="-a max_pages=100"]
	@test -n "$(URL)" || { echo "Name the site: make crawl URL=https://example.com" >&2; exit 2; }
	@$(BIN)/scrapy crawl sitemap -a url='$(URL)' $(ARGS) || { code=$$?; \
	echo "The crawl ended with exit code $$code; make ends with 2 for each of them" >&2; exit $$code; }

browser: .venv/crawl.done  ## Chromium for pages that need one, where the system has none
	$(BIN)/playwright install chromium

test: .venv/test.done  ## what decides about a change: lint, types, a case of each class: ten minutes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(parallel) -m 'not (full or alone or slow)' $(or_again)

test-all: .venv/test.done  ## the rest: all cases, real systems, faults, what measures time and CPU
	$(parallel) -m 'full and not (alone or slow)' $(or_again)
	$(BIN)/pytest -m 'alone and not slow' $$(grep -rlF --include='test_*.py' mark.alone tests) $(or_again)

test-changed: .venv/test.done  ## the tests that import what changed since BASE, or are named after it
	@tests=$$($(BIN)/python -m tests.changed $(BASE)) && test -z "$$tests" || $(parallel) $$tests

tables: .venv/test.done  ## the generated tables of the documentation, from the code
	$(BIN)/python -m tests.docs.tables

lock: .venv/test.done  ## requirements.lock, for the image: the newest versions that are allowed, with hashes
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1'
	$(BIN)/uv pip compile --quiet --upgrade --generate-hashes --all-extras --python-version 3.11 --python-platform linux --no-annotate --custom-compile-command 'make lock' setup.py --output-file requirements.lock

pictures: .venv/test.done  ## the pictures of the documentation, by Chromium, from a real crawl: two minutes
	$(BIN)/python -m tests.docs.pictures

docs: .venv/test.done  ## the documentation as a site: build/site/index.html
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'mkdocs>=1.6,<2'
	$(BIN)/mkdocs build --strict

bench: .venv/test.done  ## what a crawl costs, against other tools: a table, also in docs/explanation/figures.md
	$(BIN)/python -m tests.benchmarks.comparison

sweeps: .venv/test.done  ## the long sweeps and full-size benchmarks: an hour or more
	$(BIN)/pytest -m 'slow and not real' -s

real: systems  ## real software, all of it: set up, crawled, compared with its database
	$(BIN)/pytest -m real -s

systems: .venv/test.done  ## what PyPI has of it, each in an environment of its own
	$(BIN)/python -m tests.real --install

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/crawl.done: requirements.txt .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements.txt
	touch $@

.venv/test.done: requirements.txt requirements-dev.txt .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements-dev.txt
	touch .venv/crawl.done $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info
