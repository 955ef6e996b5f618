"""All dialects by name."""

from agents.dialects.base import Chat, Dialect
from agents.dialects.compact import Compact

DIALECTS: dict[str, Dialect] = {one.name: one for one in (Chat(), Compact())}


def dialect(name: str) -> Dialect:
    """Look a dialect up; raises ValueError with the names there are."""
    try:
        return DIALECTS[name]
    except KeyError:
        raise ValueError(
            f"There is no dialect {name[:40]!r}. Known: {', '.join(DIALECTS)}."
        ) from None
