"""One game of a suite as it is dealt to a bot: what it sees, what it answered, what came out."""

import msgspec

from negotiation.engine.observe import BuyerObservation
from negotiation.environment.views import to_view
from training.bots.moves import KeptMove, proposal_of
from training.evaluation.recording import Recording
from training.evaluation.rows import EpisodeRow, digest_of

_encoder = msgspec.json.Encoder()


class Deal:
    """A game under way; it can be taken up again where its kept moves end.

    Attributes:
        number: of the game in the bot's whole play.
        name: what the bot calls the game by.
        moves: what the bot answered so far.
    """

    def __init__(
        self, number: int, name: str, suite_id: str, seed: int, moves: tuple[KeptMove, ...] = ()
    ) -> None:
        """Open a game, and make the moves that were made before.

        Raises:
            GameOver: there are more moves than the game had.
        """
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
        """How many of them are."""
        return len(self._game.logs)

    @property
    def suite_id(self) -> str:
        """The suite that is played."""
        return self._game.suite_id

    def question(self) -> bytes:
        """Give what the bot is asked: the buyer's own observation as JSON, and the game's name.

        Raises:
            ValueError: the game is over.
        """
        return _encoder.encode(self.shown())

    def shown(self) -> dict[str, object]:
        """Give the same as a dictionary; after the end it is the last look at the table.

        How a bargain would have ended is not told, neither are rewards: both would give the
        seller's reservation price away, and a game may be dealt a second time.
        """
        game = self._game
        seen = game.observation
        if seen is None:
            assert self._last is not None
            seen = self._last
        view = to_view(seen, game.game + 1, game.games, game.done)
        return {"episode_id": self.name, **msgspec.structs.asdict(view)}

    def make(self, move: KeptMove) -> int:
        """Make a move.

        Returns:
            How many bargains this move ended: 0 or 1.

        Raises:
            GameOver: all bargains are over.
        """
        stepped = self._recording.move(proposal_of(move))
        self.moves.append(move)
        self._last = stepped.observation
        return int(stepped.log is not None)

    def digests(self) -> tuple[str, ...]:
        """Give the SHA-256 of every bargain that is over."""
        return tuple(map(digest_of, self._game.logs))

    def rows(self, policy: str, version: str) -> tuple[EpisodeRow, ...]:
        """Sum up the bargains that are over.

        Args:
            policy: the name that the rows carry.
            version: and its version label.
        """
        return self._recording.rows(policy, version)
