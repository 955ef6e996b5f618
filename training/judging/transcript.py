"""What judges read of a finished bargain, what they say of two, and whom they prefer."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeGuard

import msgspec
import numpy as np

from agents.backends.base import Message
from bazaarbatna.bargain.episode import follow, start
from bazaarbatna.bargain.events import (
    Ended,
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    WalkedAway,
)
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.intervals import Interval, interval, ratio, resampled_sums
from bazaarbatna.money import rupees_text

Spoken = OfferMade | OfferAccepted | WalkedAway | MessageSent
Winner = Literal["a", "b", "tie"]

DecidedBy = Literal["deal", "surplus", "ask", "failures", "rounds", "words", "model", "nothing"]
"""What told the games apart; "model" where a language model decided, "nothing" in a tie."""

HEURISTIC = "heuristic"


class JudgingError(ValueError):
    """The judge refused; the message says what to do."""


class NotAGame(JudgingError):
    """A game is not finished, or its parts do not belong together."""


class DifferentGames(JudgingError):
    """Two games cannot be compared."""


class BadRequest(JudgingError):
    """The arguments ask for something that cannot be played."""


class BrokenPairs(JudgingError):
    """The file of pairs cannot be read or continued."""


class PlayedTurn(msgspec.Struct, frozen=True):
    """One answer of a model to a prompt; ``valid`` when it was exactly the protocol's JSON."""

    prompt: tuple[Message, ...]
    completion: str
    valid: bool = True


class PlayedGame(msgspec.Struct, frozen=True):
    """One finished bargain of a model; ``invalid`` counts completions that were no valid JSON.

    ``late``: somebody else made the buyer's first moves; the turns are the later ones.
    """

    log: Log
    turns: tuple[PlayedTurn, ...]
    invalid: int = 0
    late: bool = False

    def __repr__(self) -> str:
        # A log holds the secrets of both sides: nothing of it may reach a log line by chance.
        return f"PlayedGame({len(self.turns)} turns, invalid={self.invalid})"


class BuyerTurn(msgspec.Struct, frozen=True):
    """What the buyer saw, and what it did then."""

    seen: BuyerObservation
    move: Move


class Transcript(msgspec.Struct, frozen=True):
    """A finished bargain as a judge reads it: all moves and words ``spoken``, in order.

    ``turns`` are the buyer's moves with what it saw, ``invalid`` a model's unreadable answers.
    """

    scenario: Scenario
    ended: Ended
    spoken: tuple[Spoken, ...]
    turns: tuple[BuyerTurn, ...]
    invalid: int = 0

    def __repr__(self) -> str:
        return f"Transcript({self.scenario.suite}, {self.ended.outcome}, {len(self.turns)} turns)"

    def money(self, price: int) -> str:
        """Write a price in paise as the currency of the bargain has it."""
        return rupees_text(to_rupees(price), self.scenario.item.currency)

    @property
    def winnable(self) -> bool:
        """There was a zone of possible agreement."""
        return self.scenario.zopa > 0

    @property
    def is_deal(self) -> bool:
        """The sides agreed on a price, whoever accepted."""
        return self.ended.price is not None

    @property
    def surplus(self) -> float:
        """The buyer's share of the zone, as all tables have it; 0 without a deal."""
        return self.ended.buyer_share

    @property
    def lowest_ask(self) -> int:
        """The lowest price in paise that the seller named, its opening ask included."""
        asks = [one.price for one in self.spoken if _is_ask(one)]
        return min([self.scenario.anchor, *asks])

    @property
    def bids(self) -> tuple[int, ...]:
        """The prices in paise that the buyer named, in order."""
        return tuple(turn.move.price for turn in self.turns if isinstance(turn.move, Offer))

    @property
    def lines(self) -> tuple[str, ...]:
        """What the buyer said with its moves, in order; "" where it said nothing."""
        return tuple(turn.move.text for turn in self.turns)


def read_transcript(log: Log, invalid: int = 0) -> Transcript:
    """Read a finished bargain; NotAGame when it has not ended."""
    if log.ended is None:
        raise NotAGame("Only a finished game can be judged; this log has no end.")
    if invalid < 0:
        raise NotAGame(f"A count of invalid answers is 0 or more, not {invalid}.")
    spoken = tuple(event for event in log.events if isinstance(event, Spoken))
    return Transcript(log.scenario, log.ended, spoken, tuple(_buyer_turns(log)), invalid)


def transcript_of(game: PlayedGame) -> Transcript:
    """Read a game that a model played; NotAGame when it is not over, or the turns are not its."""
    transcript = read_transcript(game.log, game.invalid)
    given, moves = len(game.turns), len(transcript.turns)
    if not (0 < given <= moves if game.late else given == moves):
        raise NotAGame(
            f"The buyer moved {moves} times in this game, but {given} "
            "prompts and completions came with it; give one per move, in order."
        )
    return transcript


def check_comparable(a: Transcript, b: Transcript) -> None:
    """Raise DifferentGames for two games that did not start from the same position."""
    if a.scenario != b.scenario:
        raise DifferentGames(
            f"A game of {a.scenario.suite} against {a.scenario.seller} and one of "
            f"{b.scenario.suite} against {b.scenario.seller} were to be compared, but they did not "
            "start from the same position; play both with the same suite, seed and seller, and "
            "take one bargain of each."
        )


def _buyer_turns(log: Log) -> list[BuyerTurn]:
    state, expected = start(log.scenario)
    turns = []
    for event in log.events:
        before = state
        state, expected = follow(state, expected, event)
        move = _buyer_move(event)
        if move is not None:
            turns.append(BuyerTurn(observe_buyer(before), move))
    return turns


def _buyer_move(event: Event) -> Move | None:
    # None for the seller's events, and for mere words.
    match event:
        case OfferMade("buyer", _, price, text):
            return Offer(price, text)
        case OfferAccepted("buyer", _, _, text):
            return Accept(text)
        case WalkedAway("buyer", _, text):
            return Walk(text)
        case _:
            return None


def _is_ask(event: Spoken) -> TypeGuard[OfferMade]:
    return isinstance(event, OfferMade) and event.actor == "seller"


class Verdict(msgspec.Struct, frozen=True):
    """Which of two games the buyer played better: "a", "b" or "tie", by the first thing that told.

    ``judge`` is "heuristic" or a model; ``fallback`` says why the heuristic stood in, "" elsewhere.
    """

    winner: Winner
    reason: str
    decided_by: DecidedBy
    judge: str = HEURISTIC
    fallback: str = ""


Judge = Callable[[Transcript, Transcript], Verdict]
"""Compares two games on one scenario; who is "a" and who "b" must not matter."""


DRAWS = "preference"
"""The bootstrap's draws follow from this name alone: same verdicts, same interval."""


class Preference(msgspec.Struct, frozen=True, kw_only=True):
    """How often the judge preferred the games of one policy to those of another.

    ``decided`` are wins per decided pair, 0..1, None where all are ties; in ``halves`` a tie counts
    half.
    """

    games: int
    wins: int
    losses: int
    ties: int
    decided: Interval | None
    halves: Interval
    wins_by: dict[DecidedBy, int]
    losses_by: dict[DecidedBy, int]
    fallbacks: int = 0


def compare(ours: Sequence[Transcript], theirs: Sequence[Transcript], judge: Judge) -> Preference:
    """Judge two policies' games pair by pair; BadRequest without pairs or with unequal numbers."""
    if not ours or len(ours) != len(theirs):
        raise BadRequest(
            f"A comparison needs paired games, one or more; got {len(ours)} and {len(theirs)}."
        )
    return summed_up([judge(a, b) for a, b in zip(ours, theirs, strict=True)])


def summed_up(verdicts: Sequence[Verdict]) -> Preference:
    """Sum up verdicts in which "a" is the policy; pairs are resampled. BadRequest for none."""
    if not verdicts:
        raise BadRequest("A comparison needs at least one verdict.")
    won = np.array([verdict.winner == "a" for verdict in verdicts], dtype=np.float64)
    tied = np.array([verdict.winner == "tie" for verdict in verdicts], dtype=np.float64)
    counts = np.stack([won, 1 - tied, won + tied / 2, np.ones_like(won)], axis=-1)
    sums = resampled_sums(DRAWS, counts[:, None, :])[:, 0]
    halves = interval(ratio(sums[:, 2], sums[:, 3]))
    assert halves is not None
    return Preference(
        games=len(verdicts),
        wins=int(won.sum()),
        losses=int((1 - won - tied).sum()),
        ties=int(tied.sum()),
        decided=interval(ratio(sums[:, 0], sums[:, 1])),
        halves=halves,
        wins_by=_by(one for one in verdicts if one.winner == "a"),
        losses_by=_by(one for one in verdicts if one.winner == "b"),
        fallbacks=sum(bool(verdict.fallback) for verdict in verdicts),
    )


def _by(verdicts: Iterable[Verdict]) -> dict[DecidedBy, int]:
    return dict(Counter(verdict.decided_by for verdict in verdicts).most_common())
