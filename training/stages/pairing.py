"""The pairs of games that DPO learns from: played by a model, judged, and written down."""

from collections.abc import Callable, Sequence

import msgspec

from agents.backends.local.player import Player
from training.data.seeds import first_seed
from training.judging.counting import Progress
from training.judging.pair_file import ScenarioKey
from training.judging.pairs import Job, build_pairs
from training.judging.transcript import PlayedGame, PlayedTurn
from training.judging.verdict import Judge
from training.stages.checking import held_out, player_of, steady
from training.stages.config import DpoConfig
from training.stages.games import Deal, Game, play_games, rounds_left
from training.stages.loading import Opened
from training.stages.work import PAIRS, Work

PAIRS_AT_ONCE = 128


def make_pairs(
    work: Work,
    config: DpoConfig,
    opened: Opened,
    judge: Judge,
    *,
    earlier: Sequence[str] = (),
    steps: int = 0,
) -> tuple[str, Progress]:
    """Play and judge the pairs of a round; those that are written down already stay as they are.

    Args:
        work: the run.
        config: its settings.
        opened: the model that plays.
        judge: who compares two games.
        earlier: labels of the models that played the rounds before.
        steps: of the optimizer in those rounds.

    Returns:
        The label of who played, and what came out.
    """
    card = opened.card
    assert card is not None, "open_model lets DPO begin with a model that bargains only"
    number = len(earlier)
    policy = f"{earlier[0]}, polished {number}x" if earlier else f"{card.name} of {card.made_by}"
    work.say(f"dpo: {config.pairs} pairs of games of {policy}")
    player = player_of(opened.model, opened.tokenizer, card)
    begun = steps + config.pairs * number

    def told(progress: Progress) -> None:
        work.beat(begun + progress.done)

    def played(jobs: Sequence[Job]) -> list[PlayedGame]:
        # Drawn anew for each batch: a run that goes on plays the rest as if it had never stopped.
        with steady(jobs[0].seed):
            return play_jobs(player, jobs, config.late, lambda: work.beat(work.run.done))

    return policy, build_pairs(
        played,
        [ScenarioKey(deal.suite, deal.seed) for deal in deals_of(config, number)],
        judge,
        work.folder / PAIRS,
        policy=policy,
        earlier=earlier,
        temperatures=(config.cool, config.warm),
        batch=PAIRS_AT_ONCE,
        on_pair=told,
    )


def deals_of(config: DpoConfig, number: int = 0) -> list[Deal]:
    """Choose what is played twice in a round, evenly over all suites; no deal comes up again."""
    first = first_seed("dpo", config.seed) + config.pairs * number
    return held_out(config.pairs, first)


def play_jobs(
    player: Player,
    jobs: Sequence[Job],
    late: float = 0.0,
    tick: Callable[[], None] = lambda: None,
) -> list[PlayedGame]:
    """Play the games of pairs, all of one temperature in step; ``late``: part that begins late."""
    found: dict[int, PlayedGame] = {}
    for heat in sorted({job.temperature for job in jobs}):
        places = [place for place, job in enumerate(jobs) if job.temperature == heat]
        deals = [_deal(jobs[place], late) for place in places]
        how = msgspec.structs.replace(player.sampling, temperature=heat)
        for place, game in zip(places, play_games(player, deals, how, tick=tick), strict=True):
            found[place] = handed_over(player, game)
    return [found[place] for place in range(len(jobs))]


def _deal(job: Job, late: float) -> Deal:
    return Deal(job.suite, job.seed, rounds_left(job.suite, job.seed, late))


def handed_over(player: Player, game: Game) -> PlayedGame:
    """Give a judge a game: prompts and answers as the model saw and wrote them."""
    turns = [
        PlayedTurn(player.dialect.messages(turn.seen), turn.said.text, turn.said.valid)
        for turn in game.turns
    ]
    return PlayedGame(game.log, tuple(turns), game.invalid, late=game.deal.left is not None)
