"""A client's place at the table: reset, step and state, the same for every protocol."""

import msgspec

from bazaarbatna.bargain.graders import grade, is_solved
from bazaarbatna.bargain.log import Log
from bazaarbatna.envs.bargain.actions import Action, to_proposal
from bazaarbatna.envs.bargain.episode import Episode, NotReset
from bazaarbatna.envs.bargain.resets import Reset, wanted_suite
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from bazaarbatna.envs.bargain.views import View, name_parts, to_result, to_view


class Notes(msgspec.Struct, frozen=True, omit_defaults=True):
    """What goes with an observation, for those who train and evaluate.

    Attributes:
        episode_id: name of the game.
        suite: the suite's full id.
        commitment: SHA-256 that binds the hidden values of the bargain on the table.
        seed: the game's seed; one that the client did not choose is told after the end.
        reward_terms: the terms of the step's reward by name; those that are 0 are left out.
        score: the suite's grade of the whole game, 0..1, after the end.
        solved: the score reaches the suite's threshold.
    """

    episode_id: str
    suite: str
    commitment: str
    seed: int | None = None
    reward_terms: dict[str, float] | None = None
    score: float | None = None
    solved: bool | None = None


class Answer(msgspec.Struct, frozen=True):
    """What reset and step give; ``reward`` is null after a reset."""

    observation: View
    reward: float | None
    done: bool
    metadata: Notes


class Standing(msgspec.Struct, frozen=True):
    """The state of a seat, without anything that the buyer may not see.

    Attributes:
        episode_id: name of the game; null before the first reset.
        step_count: steps since the reset.
        suite: the suite's full id.
        task: its name.
        variant: ``fixed`` or ``sampled``; empty where sellers are of the population.
        seed: as in the metadata: not before the end unless the client chose it.
        game: which bargain is on the table, counted from 1; 0 before the first reset.
        games: how many there are.
        round: of the bargain on the table.
        max_rounds: its limit.
        outcomes: how the bargains so far ended.
        total_reward: sum of all rewards since the reset.
        done: all bargains are over.
        score: the suite's grade, after the end.
    """

    episode_id: str | None = None
    step_count: int = 0
    suite: str | None = None
    task: str | None = None
    variant: str | None = None
    seed: int | None = None
    game: int = 0
    games: int = 0
    round: int = 0
    max_rounds: int = 0
    outcomes: tuple[str, ...] = ()
    total_reward: float = 0.0
    done: bool = False
    score: float | None = None


class Seat:
    """One client's environment: a game of a suite at a time, as often as it resets."""

    def __init__(self) -> None:
        self._episode = Episode("", 0)
        self._game: SuiteGame | None = None
        self._view: View | None = None

    def reset(self, wanted: Reset, *, seed: int, episode_id: str) -> Answer:
        """Start a game; the one before is gone.

        ``seed`` and ``episode_id`` are used where the client names none.

        Raises:
            UnknownSuite, UnknownSeller: there is none of that name; the old game goes on.
        """
        episode = Episode.of(wanted, seed=seed, episode_id=episode_id)
        game = SuiteGame(wanted_suite(wanted), episode.seed, wanted.seller)
        self._game, self._episode = game, episode
        seen = game.observation
        assert seen is not None
        self._view = to_view(seen, 1, game.games, done=False)
        return Answer(self._view, None, False, self._notes(game, None))

    def step(self, action: Action) -> Answer:
        """Make a move; raises ``NotReset``, ``GameOver``, ``UnreadableAction``."""
        game = self._game
        if game is None:
            raise NotReset("There is no game on the table yet; reset starts one.")
        proposal, place = to_proposal(action), game.game + 1
        stepped = game.step(proposal)
        done, total = game.done, stepped.reward.total
        self._episode.pay(total)
        seen, result = stepped.observation, None
        if stepped.log is not None:
            # The next bargain is on the table already; the result tells of the last.
            seen, result = game.observation or seen, to_result(stepped.log, place)
        self._view = to_view(seen, game.game + 1, game.games, done, result)
        terms = {name: value for name, value in stepped.reward.terms().items() if value}
        return Answer(self._view, total, done, self._notes(game, terms))

    @property
    def is_done(self) -> bool:
        """The game on the table is over."""
        return self._game is not None and self._game.done

    @property
    def view(self) -> View | None:
        """What the buyer saw last; None before the first reset."""
        return self._view

    @property
    def logs(self) -> tuple[Log, ...]:
        """The bargains that are over, with everything in them."""
        return self._game.logs if self._game else ()

    @property
    def state(self) -> Standing:
        """Where the game stands."""
        game, view, episode = self._game, self._view, self._episode
        if game is None or view is None:
            return Standing()
        task, variant = name_parts(game.suite_id)
        return Standing(
            episode_id=episode.id,
            step_count=episode.steps,
            suite=game.suite_id,
            task=task,
            variant=variant,
            seed=episode.told_seed(done=game.done),
            game=view.game,
            games=game.games,
            round=view.round,
            max_rounds=view.max_rounds,
            outcomes=tuple(log.ended.outcome for log in game.logs if log.ended),
            total_reward=episode.total,
            done=game.done,
            score=self._score(game),
        )

    def _notes(self, game: SuiteGame, terms: dict[str, float] | None) -> Notes:
        score = self._score(game)
        return Notes(
            episode_id=self._episode.id,
            suite=game.suite_id,
            commitment=game.commitment,
            seed=self._episode.told_seed(done=game.done),
            reward_terms=terms,
            score=score,
            solved=None if score is None else is_solved(game.suite_id, score),
        )

    def _score(self, game: SuiteGame) -> float | None:
        return grade(game.suite_id, game.logs) if game.done else None
