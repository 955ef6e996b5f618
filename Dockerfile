# The whole site in one container: pages, workers, SQLite. The same image runs as several services
# by compose.yaml, and as a Hugging Face Space. docs/deploy.md tells how.
FROM python:3.11.13-slim-bookworm

# Where pip finds the build of torch without CUDA; without it the default index, and a large image.
ARG PIP_EXTRA_INDEX_URL=""

RUN apt-get update \
    && apt-get install --yes --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 bazaar \
    && install --directory --owner=bazaar --group=bazaar /app /data /opt/venv

USER 1000
WORKDIR /app
ENV VENV=/opt/venv \
    PATH=/opt/venv/bin:$PATH \
    PIP_NO_CACHE_DIR=1 \
    PYTHONUNBUFFERED=1

# What is installed changes less often than the code, so it comes first.
COPY --chown=1000:1000 pyproject.toml constraints.txt README.md Makefile ./
RUN make /opt/venv/bin/.site

COPY --chown=1000:1000 . .
# A newer pyproject.toml must not make a container install anything when it starts.
RUN touch /opt/venv/bin/.site

ARG BAZAAR_COMMIT=""
ENV BAZAAR_COMMIT=$BAZAAR_COMMIT \
    BAZAAR_DATA_DIR=/data \
    HF_HOME=/data/models \
    HOST=0.0.0.0 \
    PORT=7860

EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=10s --start-period=180s CMD ["python", "deploy/probe.py"]
CMD ["sh", "deploy/start.sh"]
