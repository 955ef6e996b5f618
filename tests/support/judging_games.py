"""Real games against pinned sellers, with a buyer that does what a test tells it to."""

from agents.dialects.compact import Compact
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import to_paise
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from bazaarbatna.players.base import RuleBuyer
from training.judging.transcript import PlayedGame, PlayedTurn, Transcript, read_transcript

TABLE = "single_deal@fixed-1"
"""Asks 60, 54, 48, 42, ... (the seller's luck aside); it sells from 31.50; the budget is 100."""

HOPELESS = ("single_deal@sampled-1", 12)
"""A game without a zone of possible agreement."""

Step = Move | float | tuple[float, str]
"""A bid in rupees, with or without words, or any other move."""


def moves_of(*steps: Step) -> list[Move]:
    """Write moves shortly."""
    return [_move(step) for step in steps]


def scripted(*steps: Step, suite: str = TABLE, seed: int = 0, invalid: int = 0) -> Transcript:
    """Play these moves against the pinned seller; the last is repeated until the game is over."""
    return read_transcript(scripted_log(*steps, suite=suite, seed=seed), invalid)


def scripted_log(*steps: Step, suite: str = TABLE, seed: int = 0) -> Log:
    """Play these moves and give the log."""
    return played(*steps, suite=suite, seed=seed).log


def played(*steps: Step, suite: str = TABLE, seed: int = 0) -> PlayedGame:
    """Play these moves as a model with the compact dialect would have."""
    game, dialect, turns = SuiteGame(suite, seed), Compact(), []
    moves = moves_of(*steps)
    while not game.logs:
        seen = game.observation
        assert seen is not None
        move = moves[min(len(turns), len(moves) - 1)]
        turns.append(PlayedTurn(dialect.messages(seen), dialect.answer(seen, move)))
        game.step(move)
    return PlayedGame(game.logs[0], tuple(turns))


def by_rule(buyer: type[RuleBuyer], suite: str, seed: int) -> Transcript:
    """Let a rule buyer play the first bargain of a suite."""
    game, player = SuiteGame(suite, seed), buyer(seed)
    while not game.logs:
        seen = game.observation
        assert seen is not None
        game.step(player.act(seen))
    return read_transcript(game.logs[0])


def _move(step: Step) -> Move:
    match step:
        case Offer() | Accept() | Walk():
            return step
        case (rupees, text):
            return Offer(to_paise(rupees), text)
        case rupees:
            return Offer(to_paise(rupees))
