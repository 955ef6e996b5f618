"""What others rely on, as text: addresses, the API, names of tasks, tables and migrations.

``python -m tests.pins.write`` writes it anew; the diff belongs into the commit's message.
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).parent
ROOMS = ("bazaar_site.", "rooms.", "training.", "replays.", "arena.", "agents.", "negotiation.")


def _addresses(patterns: object, prefix: str = "") -> Iterator[str]:
    from django.urls import URLPattern, URLResolver

    for one in patterns:  # type: ignore[attr-defined]
        if isinstance(one, URLPattern):
            yield f"{prefix}{one.pattern}  {one.name or ''}".rstrip()
        elif isinstance(one, URLResolver) and one.app_name not in ("admin", "ninja"):
            yield from _addresses(one.url_patterns, f"{prefix}{one.pattern}")


def addresses() -> str:
    """Every address of the site's pages, and its sockets."""
    from bazaar_site.routing import doors, sockets
    from bazaar_site.urls import urlpatterns

    rows = sorted(row for row in _addresses(urlpatterns) if not row.startswith(("admin", "api/")))
    return "\n".join([*rows, *(f"socket {one.pattern}" for one in (*doors, *sockets))])


def openapi() -> str:
    """The HTTP API."""
    from bazaar_site.urls import api

    return json.dumps(api.get_openapi_schema(), indent=1, sort_keys=True, default=str)


def tasks() -> str:
    """Names under which tasks wait in a queue."""
    from bazaar_site.celery import app

    app.loader.import_default_modules()
    return "\n".join(sorted(name for name in app.tasks if name.startswith(ROOMS)))


def tables() -> str:
    """Tables with their columns, and the migrations that lead to them."""
    from django.apps import apps
    from django.db import connection
    from django.db.migrations.loader import MigrationLoader

    ours = {"negotiation", "agents", "arena", "replays", "training", "leaderboard", "bots"}
    rows = [
        f"{model._meta.db_table}: {', '.join(sorted(f.column for f in model._meta.fields))}"
        for model in apps.get_models()
        if model._meta.app_label in ours
    ]
    graph = MigrationLoader(connection, ignore_no_migrations=True).graph
    rows += [f"migration {app}.{name}" for app, name in graph.nodes if app in ours]
    return "\n".join(sorted(rows))


PINS: dict[str, Callable[[], str]] = {
    "addresses.txt": addresses,
    "openapi.json": openapi,
    "tasks.txt": tasks,
    "tables.txt": tables,
}


def main() -> None:
    """Write all of them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    import django

    django.setup()
    for name, tell in PINS.items():
        (HERE / name).write_text(tell() + "\n")


if __name__ == "__main__":
    main()
