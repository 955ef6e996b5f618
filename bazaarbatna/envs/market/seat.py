"""A client's place in the market: reset, step and state, the same for every protocol."""

import msgspec

from bazaarbatna.envs.bargain.episode import Episode, NotReset
from bazaarbatna.envs.market.actions import Turn
from bazaarbatna.envs.market.resets import MarketReset, draw_market, lab_number
from bazaarbatna.envs.market.table import Table
from bazaarbatna.envs.market.views import MarketView, to_result, to_view
from bazaarbatna.market import ActionResult, Reward
from bazaarbatna.market.judging import JudgeMode
from bazaarbatna.market.quantities import LAB_IDS
from bazaarbatna.market.scenario import RewardMix, ShockKind

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


class _Playing(msgspec.Struct):
    table: Table
    lab: int
    wanted: MarketReset
    episode: Episode


class MarketSeat:
    """One client's environment: an episode at a time, as often as it resets."""

    def __init__(self) -> None:
        self._playing: _Playing | None = None

    def reset(self, wanted: MarketReset, *, seed: int, episode_id: str) -> MarketAnswer:
        """Start an episode, or raise ``UnknownMarket`` and let the old one go on."""
        lab = lab_number(wanted.lab)
        episode = Episode.of(wanted, seed=seed, episode_id=episode_id)
        scenario, episode.seed = draw_market(
            wanted.task_type or wanted.task,
            episode.seed,
            lab,
            is_chosen=episode.is_chosen,
            reward=wanted.reward,
            options=wanted.options,
        )
        table = Table(scenario, (lab,), judge_mode=wanted.judge_mode, judge_pays=wanted.judge_pays)
        self._playing = _Playing(table, lab, wanted, episode)
        return _answer(self._playing, None)

    def step(self, turn: Turn) -> MarketAnswer:
        """Take the lab's turn, then let the others take theirs.

        An invalid action uses the turn up. After the end nothing changes: the answer says so.
        """
        playing = self._playing
        if playing is None:
            raise NotReset("There is no market on the table yet; reset starts one.")
        table = playing.table
        if table.is_done:
            return _answer(playing, None, late=True)
        table.act(turn.proposal)
        columns = table.pay(playing.lab)
        playing.episode.pay(columns.normalized_reward)
        return _answer(playing, columns)

    @property
    def is_done(self) -> bool:
        """The episode on the table is over."""
        return self._playing is not None and self._playing.table.is_done

    @property
    def view(self) -> MarketView | None:
        """What the lab sees now; None before the first reset."""
        return None if self._playing is None else _answer(self._playing, None).observation

    @property
    def state(self) -> MarketStanding:
        """Where the episode stands."""
        playing = self._playing
        if playing is None:
            return MarketStanding()
        episode, wanted = playing.episode, playing.wanted
        state, done = playing.table.state, playing.table.is_done
        return MarketStanding(
            episode_id=episode.id,
            step_count=episode.steps,
            task=state.scenario.task,
            lab=LAB_IDS[playing.lab],
            reward_mix=state.scenario.reward,
            options=wanted.options,
            judge_mode=wanted.judge_mode,
            judge_pays=wanted.judge_pays,
            seed=episode.told_seed(done=done),
            round=state.round,
            rounds=state.scenario.rounds,
            total_reward=episode.total,
            last_action_result=state.results[playing.lab],
            done=done,
            score=episode.total if done else None,
        )


def _answer(playing: _Playing, columns: Reward | None, *, late: bool = False) -> MarketAnswer:
    table, episode, done = playing.table, playing.episode, playing.table.is_done
    seen = table.seen_by(playing.lab)
    if late:
        seen = msgspec.structs.replace(seen, last_result=TOO_LATE)
    notes = MarketNotes(
        episode_id=episode.id,
        task=seen.task,
        reward_mix=table.state.scenario.reward,
        commitment=table.commitment,
        seed=episode.told_seed(done=done),
        reward_columns=columns,
        score=episode.total if done else None,
        judge_mode=playing.wanted.judge_mode,
    )
    reward = 0.0 if late else None if columns is None else columns.normalized_reward
    result = to_result(table.state, table.commitment)
    view = to_view(seen, done=done, result=result, hearing=table.heard_by(playing.lab))
    return MarketAnswer(view, reward, done, notes)
