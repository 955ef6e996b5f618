"""The network's turn with words of the voice in the box; the bank's stand where that is late."""

from collections.abc import Callable

import msgspec

from agents.lines.register import Register
from agents.speaking import model
from agents.speaking.languages import FIRST, language_of
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.scenario import SALE
from negotiation.policies import Entry, Played, Request, Whisper


class LiveNetwork:
    """Plays the registered network, and finds words for what it plays.

    Args:
        entry: gives the registered policy.
    """

    def __init__(self, entry: Callable[[], Entry]) -> None:
        self._entry = entry

    def awake(self) -> bool:
        """Tell whether the voice is loaded; the first who asks has it loaded."""
        return model.is_awake()

    async def turn(self, request: Request, whisper: Whisper) -> Played:
        """Play a turn; the words of the bank are there before the model is asked."""
        seen, entry = request.observation, self._entry()
        assert isinstance(seen, BuyerObservation)
        player = entry.make(request.seed)
        by_heart = Played(
            player.reply(seen) if request.speak_only else player.act(seen),
            entry.backend,
            entry.version,
        )
        language: Register = language_of(seen) or FIRST
        if seen.suite != SALE or not model.speaks(language):
            return by_heart
        move = None if isinstance(by_heart.answer, str) else by_heart.answer
        words = await model.words(seen, move, request.seed)
        if not words:
            return by_heart
        whisper(words)
        answer = words if move is None else msgspec.structs.replace(move, text=words)
        return Played(answer, entry.backend, f"{entry.version}+{model.version()}"[:80])
