"""Sentences that another language can say: a text with places to fill, and what fills them."""

from collections.abc import Callable, Mapping

import msgspec


class Phrase(msgspec.Struct, frozen=True):
    """A text with ``%(name)s`` places; a value may be a phrase of its own."""

    text: str
    values: Mapping[str, "str | int | Phrase"] = {}

    def told(self, look_up: Callable[[str], str] = str) -> str:
        """Return the sentence, its texts as ``look_up`` has them.

        >>> Phrase("%(who)s left", {"who": Phrase("Mira")}).told()
        'Mira left'
        """
        text = look_up(self.text) if self.text else ""
        if not self.values:
            return text
        filled = {
            name: value.told(look_up) if isinstance(value, Phrase) else value
            for name, value in self.values.items()
        }
        return text % filled


Values = dict[str, str | int | Phrase]
"""What fills the places of a phrase, while it is gathered."""
