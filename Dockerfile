# Two images: docker build -t sitemapgen .
#             docker build -t sitemapgen:browser --target browser .
# The second has Chromium, for sites that show nothing without one.

# Python 3.11.16 of 2026-08-25, by the digest in docker-library/repo-info, Docker's record of its
# official images; --build-arg BASE=python:3.11-slim-bookworm takes the newest.
ARG BASE=python:3.11-slim-bookworm@sha256:0bee7276f83efd4a1ee05bbbf4281d95ed28e079220a9457f25a93e3f1e3c31b

FROM ${BASE} AS wheel
WORKDIR /source
COPY setup.py pyproject.toml requirements.txt README.md LICENSE ./
COPY sitemapgen ./sitemapgen
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM ${BASE} AS base
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONUNBUFFERED=1
# Whatever --user a container runs as can write here.
ENV HOME=/tmp
WORKDIR /sitemapgen
# Playwright's driver needs libatomic, also for a browser that runs elsewhere.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends libatomic1 \
    && rm -rf /var/lib/apt/lists/*
COPY requirements.lock ./
RUN pip install --require-hashes -r requirements.lock
COPY --from=wheel /wheels /wheels
RUN pip install --no-deps --no-index /wheels/*.whl \
    && pip check \
    && useradd --uid 10001 --no-create-home sitemapgen \
    && install -d -o sitemapgen -g sitemapgen output
VOLUME /sitemapgen/output
ENTRYPOINT ["sitemapgen"]
CMD ["--help"]

FROM base AS browser
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends chromium \
    && rm -rf /var/lib/apt/lists/*
USER 10001

# The last one is what a build without --target makes.
FROM base AS plain
USER 10001
