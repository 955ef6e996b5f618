"""What learners read is made once and kept in a folder, with a card that says what it is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from django.conf import settings

from training.data.row_files import write_whole

CARD = "card.json"


class Made(msgspec.Struct, frozen=True):
    """What lies in a folder."""

    folder: Path

    @property
    def card(self) -> dict[str, Any]:
        """Counts and versions."""
        return dict(msgspec.json.decode((self.folder / CARD).read_bytes()))


AnyMade = TypeVar("AnyMade", bound=Made)


def made_once(kind: type[AnyMade], key: str, make: Callable[[Path], dict[str, Any]]) -> AnyMade:
    """Give what a recipe makes; it is made the first time.

    Args:
        kind: of what is made.
        key: the recipe's; what is made of equal ones is equal.
        make: fills a folder and gives the card.
    """
    folder = Path(settings.CORPORA_DIR) / key
    if not (folder / CARD).is_file():
        folder.mkdir(parents=True, exist_ok=True)
        # The card comes last: what has a card is whole.
        card = make(folder)
        write_whole(folder / CARD, msgspec.json.format(msgspec.json.encode(card), indent=2))
    return kind(folder)
