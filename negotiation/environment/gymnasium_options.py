"""Which suite and seller an environment plays, and what ``reset`` may change."""

from typing import Any

import msgspec

from negotiation.engine.tasks import seller_name
from negotiation.environment.resets import Reset, wanted_suite

OPTIONS = ("game", "suite", "variant", "seller")


class Choice(msgspec.Struct, frozen=True):
    """What is played: a suite's name or full id, a variant (default ``sampled``), a seller."""

    suite: str
    variant: str | None = None
    seller: str | None = None

    @property
    def suite_id(self) -> str:
        """The suite's full id.

        Raises:
            UnknownSuite: there is none of that name.
        """
        return wanted_suite(Reset(task=self.suite, variant=self.variant))

    def check(self) -> None:
        """Refuse what does not exist.

        Raises:
            UnknownSuite, UnknownSeller: there is none of that name.
        """
        wanted = self.suite_id
        if self.seller is not None:
            seller_name(wanted, self.seller)

    def changed(self, options: dict[str, Any] | None) -> tuple["Choice", int | None]:
        """Apply the options of a reset.

        Returns:
            What is played, and the number of the game if the options name one.

        Raises:
            ValueError: an option is unknown, or the game's number is no whole number from 0 up.
        """
        options = options or {}
        strange = sorted(set(options) - set(OPTIONS))
        if strange:
            raise ValueError(f"Unknown options {strange}. Known: {', '.join(OPTIONS)}.")
        game = options.get("game")
        if game is not None and (isinstance(game, bool) or not isinstance(game, int) or game < 0):
            raise ValueError("The option 'game' is a whole number from 0 up.")
        changes = {name: options[name] for name in OPTIONS[1:] if name in options}
        return msgspec.structs.replace(self, **changes), game
