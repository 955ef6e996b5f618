"""Where this machine keeps its files is nobody's business: folders are shown by a short name."""

from pathlib import Path
from typing import Any

from django.conf import settings


def hide_paths(text: str) -> str:
    """Replace the folders of this machine by what they are to the site."""
    for folder, name in _folders():
        text = text.replace(folder, name)
    return text


def hide_paths_json(value: Any) -> Any:
    """Do the same for every text of a JSON value."""
    match value:
        case str():
            return hide_paths(value)
        case dict():
            return {key: hide_paths_json(inner) for key, inner in value.items()}
        case list() | tuple():
            return [hide_paths_json(inner) for inner in value]
        case _:
            return value


def _folders() -> list[tuple[str, str]]:
    named = [
        (Path(settings.RUNS_DIR), "runs"),
        (Path(settings.RUNS_DIR).parent, "var"),
        (Path(settings.BASE_DIR), "."),
        (Path.home(), "~"),
    ]
    # The deepest first; a root folder would hide every path's first letter.
    named.sort(key=lambda one: len(str(one[0])), reverse=True)
    return [(str(path), name) for path, name in named if len(path.parts) > 1]
