"""A client's place in the market: reset, step and state, the same for every protocol."""

import msgspec

from arena.gpu_market.engine import ActionResult, Reward
from arena.gpu_market.engine.quantities import LAB_IDS
from arena.gpu_market.engine.scenario import RewardMix, ShockKind
from arena.gpu_market.environment.actions import Turn
from arena.gpu_market.environment.resets import MarketReset, draw_market, lab_number
from arena.gpu_market.environment.results import to_result
from arena.gpu_market.environment.table import Table
from arena.gpu_market.environment.views import MarketView, to_view
from arena.gpu_market.judging import JudgeMode
from negotiation.environment.errors import NotReset

TOO_LATE = ActionResult(
    False, "episode_done", "The episode has ended; nobody acts any more. Reset starts another."
)


class MarketNotes(msgspec.Struct, frozen=True, omit_defaults=True):
    """What goes with an observation, for those who train and evaluate.

    Attributes:
        episode_id: name of the episode.
        task: which market.
        reward_mix: ``default`` or ``published``.
        judge_mode: ``rule`` where a judge hears pitches.
        commitment: SHA-256 that binds the hidden values.
        seed: the world's seed; one that the client did not choose is told after the end.
        reward_columns: the eleven columns of the step's reward.
        score: sum of all rewards, after the end.
    """

    episode_id: str
    task: str
    reward_mix: RewardMix
    commitment: str
    seed: int | None = None
    reward_columns: Reward | None = None
    score: float | None = None
    judge_mode: JudgeMode = "off"


class MarketAnswer(msgspec.Struct, frozen=True):
    """What reset and step give; ``reward`` is null after a reset."""

    observation: MarketView
    reward: float | None
    done: bool
    metadata: MarketNotes


class MarketStanding(msgspec.Struct, frozen=True):
    """The state of a seat, without anything that its lab may not see.

    Attributes:
        episode_id: name of the episode; null before the first reset.
        step_count: turns that were taken since the reset.
        task: which market.
        lab: whom the client plays.
        reward_mix: ``default`` or ``published``.
        options: further shocks that were asked for.
        judge_mode: ``off`` or ``rule``.
        judge_pays: the judge's bonus is added in the default mix too.
        seed: as in the metadata: not before the end unless the client chose it.
        round: the current round, from 0.
        rounds: how many there are.
        total_reward: sum of all rewards since the reset.
        last_action_result: what became of the last action.
        done: the episode has ended.
        score: the same as ``total_reward``, after the end.
    """

    episode_id: str | None = None
    step_count: int = 0
    task: str | None = None
    lab: str | None = None
    reward_mix: RewardMix | None = None
    options: tuple[ShockKind, ...] = ()
    judge_mode: JudgeMode = "off"
    judge_pays: bool = False
    seed: int | None = None
    round: int = 0
    rounds: int = 0
    total_reward: float = 0.0
    last_action_result: ActionResult | None = None
    done: bool = False
    score: float | None = None


class _Episode(msgspec.Struct):
    """What a seat has on its table."""

    table: Table
    lab: int
    id: str
    seed: int
    wanted: MarketReset
    steps: int = 0
    total: float = 0.0


class MarketSeat:
    """One client's environment: an episode at a time, as often as it resets."""

    def __init__(self) -> None:
        self._episode: _Episode | None = None

    def reset(self, wanted: MarketReset, *, seed: int, episode_id: str) -> MarketAnswer:
        """Start an episode; the one before is gone.

        Args:
            wanted: what the client asks for.
            seed: used where the client names none.
            episode_id: used where the client names none.

        Raises:
            UnknownMarket: there is no such task, lab or option; the old episode goes on.
        """
        lab, chosen = lab_number(wanted.lab), wanted.seed
        scenario, number = draw_market(
            wanted.task,
            seed if chosen is None else chosen,
            lab,
            is_chosen=chosen is not None,
            reward=wanted.reward,
            options=wanted.options,
        )
        table = Table(scenario, (lab,), judge_mode=wanted.judge_mode, judge_pays=wanted.judge_pays)
        episode = _Episode(table, lab, wanted.episode_id or episode_id, number, wanted)
        self._episode = episode
        return _answer(episode, None)

    def step(self, turn: Turn) -> MarketAnswer:
        """Take the lab's turn, then let the others take theirs.

        An invalid action uses the turn up. After the end nothing changes: the answer says so.

        Raises:
            NotReset: there is no episode yet.
        """
        episode = self._episode
        if episode is None:
            raise NotReset("There is no market on the table yet; reset starts one.")
        if episode.table.is_done:
            return _answer(episode, None, late=True)
        episode.table.act(turn.proposal)
        columns = episode.table.pay(episode.lab)
        episode.steps += 1
        episode.total += columns.normalized_reward
        return _answer(episode, columns)

    @property
    def is_done(self) -> bool:
        """The episode on the table is over."""
        return self._episode is not None and self._episode.table.is_done

    @property
    def state(self) -> MarketStanding:
        """Where the episode stands."""
        episode = self._episode
        if episode is None:
            return MarketStanding()
        state, done = episode.table.state, episode.table.is_done
        return MarketStanding(
            episode_id=episode.id,
            step_count=episode.steps,
            task=state.scenario.task,
            lab=LAB_IDS[episode.lab],
            reward_mix=state.scenario.reward,
            options=episode.wanted.options,
            judge_mode=episode.wanted.judge_mode,
            judge_pays=episode.wanted.judge_pays,
            seed=_told_seed(episode),
            round=state.round,
            rounds=state.scenario.rounds,
            total_reward=episode.total,
            last_action_result=state.results[episode.lab],
            done=done,
            score=episode.total if done else None,
        )


def _answer(episode: _Episode, columns: Reward | None, *, late: bool = False) -> MarketAnswer:
    table, done = episode.table, episode.table.is_done
    seen = table.seen_by(episode.lab)
    if late:
        seen = msgspec.structs.replace(seen, last_result=TOO_LATE)
    notes = MarketNotes(
        episode_id=episode.id,
        task=seen.task,
        reward_mix=table.state.scenario.reward,
        commitment=table.commitment,
        seed=_told_seed(episode),
        reward_columns=columns,
        score=episode.total if done else None,
        judge_mode=episode.wanted.judge_mode,
    )
    reward = 0.0 if late else None if columns is None else columns.normalized_reward
    result = to_result(table.state, table.commitment)
    view = to_view(seen, done=done, result=result, hearing=table.heard_by(episode.lab))
    return MarketAnswer(view, reward, done, notes)


def _told_seed(episode: _Episode) -> int | None:
    # Whoever knows a seed can draw the hidden values again.
    return episode.seed if episode.table.is_done else episode.wanted.seed
