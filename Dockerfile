# The whole site in one container: pages, workers, SQLite. The same image runs as several services
# by compose.yaml, and as a Hugging Face Space. docs/deploy.md tells how.
FROM python:3.11.13-slim-trixie

# ".train" makes an image that can train as well. Where pip finds the build of torch without CUDA
# for that; without it the default index, and a large image.
ARG BAZAAR_INSTALL=".site"
ARG PIP_EXTRA_INDEX_URL=""

# The clients of PostgreSQL are what `manage.py backup` and `restore` call. A pinned version of a
# Debian package is gone from its archive with the next repair.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends make postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 bazaar \
    && install --directory --owner=bazaar --group=bazaar /data

WORKDIR /app
ENV VENV=/opt/venv \
    PATH=/opt/venv/bin:$PATH \
    PIP_NO_CACHE_DIR=1 \
    PYTHONUNBUFFERED=1

# What is installed changes less often than the code, so it comes first.
COPY pyproject.toml constraints.txt README.md Makefile ./
RUN make "/opt/venv/bin/$BAZAAR_INSTALL"

COPY . .
# Everything that would be made at a start is made now: a container writes to /data and /tmp alone,
# and a newer pyproject.toml must not make it install anything. What a command of ours has written
# into the checkout was for its author alone; the container's user must read it.
RUN touch /opt/venv/bin/.site "/opt/venv/bin/$BAZAAR_INSTALL" \
    && make locale/hi/LC_MESSAGES/django.mo \
    && python -m compileall -q . \
    && chmod -R go+rX .

ARG BAZAAR_COMMIT=""
ENV BAZAAR_COMMIT=$BAZAAR_COMMIT \
    BAZAAR_DATA_DIR=/data \
    HF_HOME=/data/models \
    HOST=0.0.0.0 \
    PORT=7860 \
    PYTHONDONTWRITEBYTECODE=1

# Code and packages belong to root: whoever breaks in cannot change them.
USER 1000
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=10s --start-period=180s CMD ["python", "deploy/probe.py"]
CMD ["sh", "deploy/start.sh"]
