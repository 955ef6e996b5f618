"""How values are written down in a playthrough."""

import msgspec

from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.observe import CareerSummary
from bazaarbatna.bargain.scenario import Item, SellerRules
from bazaarbatna.bargain.tells import Tells

PAISE = {"asks", "bids", "budget", "budgets", "reservation", "cost", "anchor", "price"}
"""Names of values that are printed as rupees."""


class Printer:
    """Writes values the way one kind of playthrough does.

    Args:
        whole: structures that are printed without brackets, beside those of every game.
        turns: how many of the newest turns are printed; 0: all of them.
        is_named: any other structure is printed with the name of its type.
    """

    def __init__(self, *whole: type, turns: int = 0, is_named: bool = False) -> None:
        self._whole = (Item, Tells, SellerRules, CareerSummary, *whole)
        self._turns = turns
        self._is_named = is_named

    def fields(self, value: msgspec.Struct) -> str:
        """Print the names and values of a structure that are not None."""
        shown = ((name, getattr(value, name)) for name in value.__struct_fields__)
        return " · ".join(
            f"{name} {self.show(name, part)}" for name, part in shown if part is not None
        )

    def show(self, name: str, value: object) -> str:
        """Print a value by its name and its type."""
        if name in PAISE:
            prices = value if isinstance(value, tuple) else (value,)
            return " ".join(f"{price / 100:.2f}" for price in prices)
        if name == "turns" and isinstance(value, tuple):
            return " | ".join(_turn(turn) for turn in value[-self._turns :])
        if isinstance(value, msgspec.Struct):
            return self._struct(value)
        if isinstance(value, tuple) and value and isinstance(value[0], msgspec.Struct):
            return " ".join(f"({self.fields(part)})" for part in value)
        return f"{value:.4g}" if isinstance(value, float) else repr(value)

    def _struct(self, value: msgspec.Struct) -> str:
        if isinstance(value, self._whole):
            return self.fields(value)
        name = f"{type(value).__name__} " if self._is_named else ""
        return f"({name}{self.fields(value)})"


def _turn(turn: Turn) -> str:
    price = "" if turn.price is None else f" {turn.price / 100:.2f}"
    return f"{turn.actor} {turn.kind}{price} {turn.text!r}"
