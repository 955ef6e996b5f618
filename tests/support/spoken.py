"""Games whose buyer says what a test wants it to say, in the small model's own text."""

from collections.abc import Sequence

from agents.dialects.base import written
from agents.dialects.compact import Compact
from bazaarbatna.bargain.observe import BuyerObservation
from training.stages.games import Deal, Game, play_games
from training.stages.generation import Sampling, Spoken


class Script:
    """A player that answers every table with the next line of a script."""

    dialect = Compact()
    sampling = Sampling()

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = list(lines)

    def answers(
        self, seen: Sequence[BuyerObservation], sampling: Sampling | None = None
    ) -> list[Spoken]:
        text = own_text(self._lines.pop(0) if self._lines else "walk")
        ids = [ord(c) % 60 for c in text]
        return [Spoken([1, 2, 3], ids, text, self.dialect.read(one, text)) for one in seen]


def own_text(line: str) -> str:
    """Write "offer 400", "accept", "walk" as the model would; anything else as it is."""
    action, _, price = line.partition(" ")
    if action == "offer":
        return written("offer", int(price), "<price> lijiye")
    if action in ("accept", "walk"):
        return written(action, None, "theek hai")
    return line


def a_game(*lines: str, suite: str = "single_deal@sampled-1", seed: int = 1) -> Game:
    """Play a script to the end of one bargain."""
    return play_games(Script(lines), [Deal(suite, seed)])[0]  # type: ignore[arg-type]
