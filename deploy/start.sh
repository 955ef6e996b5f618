# What a container runs: bring the data folder up to date, then serve. Not `make play`, because
# make would stay between the container's signals and the site.
set -eu
make install
exec python manage.py serve --host "$HOST" --port "$PORT"
