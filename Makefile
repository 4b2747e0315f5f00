PYTHON ?= python3
BIN := .venv/bin

.PHONY: crawl browser test bench real systems clean

crawl: .venv/crawl.done  ## make crawl URL=https://example.com [ARGS="-a max_pages=100"]
	@test -n "$(URL)" || { echo "Say which site: make crawl URL=https://example.com" >&2; exit 2; }
	@$(BIN)/scrapy crawl sitemap -a url='$(URL)' $(ARGS)

browser: .venv/crawl.done  ## Chromium for pages that need one, where the system has none
	$(BIN)/playwright install chromium

test: .venv/test.done  ## lint, types, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist loadfile -m 'not slow and not alone'
	$(BIN)/pytest -m 'alone and not slow'

bench: .venv/test.done  ## the full-size benchmarks and sweeps: minutes
	$(BIN)/pytest -m 'slow and not real' -s

real: systems  ## real software, all of it: set up, crawled, compared with its database
	$(BIN)/pytest -m real -s

systems: .venv/test.done  ## what PyPI has of it, each in an environment of its own
	$(BIN)/python -m tests.real --install

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/crawl.done: requirements.txt .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/test.done: requirements.txt requirements-dev.txt .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch .venv/crawl.done $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info
