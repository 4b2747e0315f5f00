# Two images: docker build -t sitemapgen .
#             docker build -t sitemapgen:browser --target browser .
# The second has Chromium, for sites that show nothing without one.

FROM python:3.11-slim-bookworm AS base
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONUNBUFFERED=1
# Whatever --user a container runs as can write here.
ENV HOME=/tmp
WORKDIR /sitemapgen
COPY requirements.txt ./
RUN grep -vE '^(playwright|psutil|scrapy-playwright)\b' requirements.txt > /tmp/plain.txt \
    && pip install -r /tmp/plain.txt \
    && rm /tmp/plain.txt
COPY scrapy.cfg ./
COPY sitemapgen ./sitemapgen
RUN python -m compileall -q sitemapgen \
    && useradd --uid 10001 --no-create-home sitemapgen \
    && install -d -o sitemapgen -g sitemapgen output
VOLUME /sitemapgen/output
ENTRYPOINT ["scrapy"]
CMD ["crawl", "--help"]

FROM base AS browser
RUN pip install -r requirements.txt
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends chromium \
    && rm -rf /var/lib/apt/lists/*
USER 10001

# The last one is what a build without --target makes.
FROM base AS plain
USER 10001
