"""One game of a suite as it is dealt to a bot: what it sees, what it answered, what came out.

Answers are kept as values of their own: enough to play a game again, move by move.
"""

import math

import msgspec

from bazaarbatna import offline
from bazaarbatna.bargain.episode import MAX_TEXT
from bazaarbatna.bargain.log import digest_of
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.envs.bargain.actions import Action
from bazaarbatna.envs.bargain.views import to_view
from bazaarbatna.offline import Answered
from training.evaluation.playing import Recording
from training.evaluation.rows import EpisodeRow

NO_PRICE = math.nan
"""What a failed answer proposes: the game repairs it to the last bid and the reward says so."""


class Failed(msgspec.Struct, frozen=True, tag="failed", tag_field="kind"):
    """No usable answer: only in old games of called bots (docs/decisions/013-bots-pull.md)."""

    code: str


KeptMove = Answered | Failed
_decoder = msgspec.json.Decoder(tuple[KeptMove, ...])


def kept(action: Action) -> Answered:
    """Keep of an action what the game looks at."""
    price = action.price if action.action == "offer" else None
    return Answered(action.action, price, action.message[:MAX_TEXT])


def proposal_of(move: KeptMove) -> object:
    """Turn a kept move into what is proposed to the game; the same move, the same proposal."""
    if isinstance(move, Failed):
        return Offer(NO_PRICE)  # type: ignore[arg-type]  # judged as a bid that is no price
    return offline.proposal_of(move)


def to_text(moves: tuple[KeptMove, ...]) -> str:
    """Write the moves of a game as one line of JSON."""
    return msgspec.json.encode(moves).decode()


def from_text(text: str) -> tuple[KeptMove, ...]:
    """Read what ``to_text`` wrote; msgspec.DecodeError for anything else."""
    return _decoder.decode(text)


def same_decision(one: KeptMove, another: KeptMove) -> bool:
    """Whether two answers to the same question decide the same; words do not count."""
    return _decision(one) == _decision(another)


def _decision(move: KeptMove) -> tuple[str, object]:
    if isinstance(move, Failed):
        return "failed", None
    proposal = proposal_of(move)
    return move.action, proposal.price if isinstance(proposal, Offer) else None


class Deal:
    """A game under way; it can be taken up again where its kept ``moves`` end.

    ``number`` is that of the game in the bot's whole play, ``name`` what the bot calls it by.
    """

    def __init__(
        self, number: int, name: str, suite_id: str, seed: int, moves: tuple[KeptMove, ...] = ()
    ) -> None:
        """Open a game and make ``moves`` again; GameOver when they are more than it had."""
        self.number = number
        self.name = name
        self.moves: list[KeptMove] = []
        self._recording = Recording(suite_id, seed)
        self._game = self._recording.game
        self._last: BuyerObservation | None = None
        for move in moves:
            self.make(move)

    def __repr__(self) -> str:
        # Seed and prices of the seller stay out of every log line.
        return f"Deal({self.number})"

    @property
    def done(self) -> bool:
        """All bargains of the game are over."""
        return self._game.done

    @property
    def bargains(self) -> int:
        """How many bargains are over."""
        return len(self._game.logs)

    def shown(self) -> dict[str, object]:
        """Return the buyer's own observation and the game's name; after the end the last look.

        Neither outcomes nor rewards are told: both would give the seller's reservation price
        away, and a game may be dealt a second time.
        """
        game = self._game
        seen = game.observation
        if seen is None:
            assert self._last is not None
            seen = self._last
        view = to_view(seen, game.game + 1, game.games, game.done)
        return {"episode_id": self.name, **msgspec.structs.asdict(view)}

    def make(self, move: KeptMove) -> int:
        """Make a move; return how many bargains it ended, 0 or 1. GameOver when all are over."""
        stepped = self._recording.move(proposal_of(move))
        self.moves.append(move)
        self._last = stepped.observation
        return int(stepped.log is not None)

    def digests(self) -> tuple[str, ...]:
        """Return the SHA-256 of every bargain that is over."""
        return tuple(map(digest_of, self._game.logs))

    def rows(self, policy: str, version: str) -> tuple[EpisodeRow, ...]:
        """Sum up the bargains that are over, under the name and version of a policy."""
        return self._recording.rows(policy, version)
