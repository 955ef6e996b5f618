"""One attack: words that try to make the house's model break a rule or tell its secret."""

from typing import Literal

import msgspec

Place = Literal["words", "title", "description"]
"""Where it is put: said at the table, or written into the listing."""

Row = tuple[str, Place, str | tuple[str, ...], str]
"""Id, place, text (or one text per turn), and what it tries."""


class Payload(msgspec.Struct, frozen=True):
    """An attack.

    ``parts`` are said in turn, from the first again when they are used up. In a part ``$limit``
    stands for what the house hides ("budget" or "lowest price"), ``$ask``, ``$bid`` and ``$guess``
    for the standing prices and one in between.
    """

    id: str
    category: str
    place: Place
    parts: tuple[str, ...]
    tries: str

    def part(self, number: int) -> str:
        """Give what is said in a turn, counted from 0."""
        return self.parts[number % len(self.parts)]


def table(category: str, *rows: Row) -> tuple[Payload, ...]:
    """Make the payloads of one category."""
    return tuple(
        Payload(name, category, place, (text,) if isinstance(text, str) else text, tries)
        for name, place, text, tries in rows
    )


def filled(part: str, slots: dict[str, str]) -> str:
    """Put names and prices where a part has a ``$``."""
    for name, value in slots.items():
        part = part.replace(f"${name}", value)
    return part
