"""DPO: two games of every scenario, a judge's word, and the model leans to what it preferred."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from transformers import set_seed

from agents.checkpoints import Card
from training.data.seeds import first_seed
from training.judging import heuristic
from training.judging.llm import judge_from_settings
from training.judging.pairs import Job, Progress, ScenarioKey, build_pairs, load_rows
from training.judging.transcript import (
    DecidedBy,
    Judge,
    PlayedGame,
    PlayedTurn,
    compare,
    transcript_of,
)
from training.stages.config import BadConfig, DpoConfig
from training.stages.games import (
    Deal,
    Game,
    figures,
    held_out,
    keep_samples,
    play_games,
    player_of,
    rounds_left,
    steady,
)
from training.stages.generation import Player
from training.stages.model_files import Opened, open_model, renamed, save_model
from training.stages.trainers import RunCallback, batches, common, named, train, trainer_steps
from training.stages.work import BEST, PAIRS, Work

PAIRS_AT_ONCE = 128
ROUNDS = "rounds.json"
LOGGED = {"loss": "loss", "rewards/accuracies": "accuracy", "rewards/margins": "margin"}

VERDICTS: Mapping[str, frozenset[DecidedBy] | None] = {
    "all": None,
    "play": frozenset({"deal", "surplus", "ask", "failures", "model"}),
    "manners": frozenset({"failures", "rounds", "words", "model"}),
}
"""What verdicts that are learned from were decided by; None for anything."""


def make_pairs(
    work: Work,
    config: DpoConfig,
    opened: Opened[Card],
    judge: Judge,
    *,
    earlier: Sequence[str] = (),
    steps: int = 0,
) -> tuple[str, Progress]:
    """Play and judge the pairs of a round; those that are written down already stay as they are."""
    card, number = opened.card, len(earlier)
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
    """Return a game for a judge: prompts and answers as the model saw and wrote them."""
    turns = [
        PlayedTurn(player.dialect.messages(turn.seen), turn.said.text, turn.said.valid)
        for turn in game.turns
    ]
    return PlayedGame(game.log, tuple(turns), game.invalid, late=game.deal.left is not None)


class Round(msgspec.Struct, frozen=True):
    """A round that is over: who played its pairs, and how many preferences and steps they made."""

    policy: str
    pairs: Progress
    rows: int
    steps: int


def run_dpo(work: Work, config: DpoConfig, source: str) -> dict[str, Any]:
    """Make pairs, train on them, and let the judge compare the model before and after.

    Each round's pairs are played by the model that the round before has left.
    """
    set_seed(config.seed)
    judge = _judge(work, config)
    done = _done(work)
    while len(done) < config.rounds - 1:
        opened = _opened(work, config, source, done)
        model, found = _round(work, config, opened, judge, done)
        # In this order: whoever is killed in between trains this round again, on the same pairs,
        # from what the round before has left.
        shutil.rmtree(work.checkpoints, ignore_errors=True)
        done.append(found)
        left = _left_by(work, len(done))
        save_model(work, model, opened.tokenizer, renamed(opened.card, config), left)
        work.keep(ROUNDS, done)
        shutil.rmtree(_left_by(work, len(done) - 1), ignore_errors=True)
    opened = _opened(work, config, source, done)
    model, found = _round(work, config, opened, judge, done)
    done.append(found)
    card = renamed(opened.card, config)
    save_model(work, model, opened.tokenizer, card)
    after = player_of(model, opened.tokenizer, card)
    return {
        "pairs": msgspec.to_builtins(sum((one.pairs for one in done), Progress())),
        "rows": sum(one.rows for one in done),
        "rounds": msgspec.to_builtins(done),
        **_compared(work, config, after, source, judge),
    }


def _done(work: Work) -> list[Round]:
    path = work.folder / ROUNDS
    return msgspec.json.decode(path.read_bytes(), type=list[Round]) if path.is_file() else []


def _opened(work: Work, config: DpoConfig, source: str, done: Sequence[Round]) -> Opened[Card]:
    return open_model(str(_left_by(work, len(done))) if done else source, config)


def _left_by(work: Work, round_: int) -> Path:
    # Rounds count from one.
    return work.folder / BEST / f"round-{round_}"


def _round(
    work: Work, config: DpoConfig, opened: Opened[Card], judge: Judge, done: Sequence[Round]
) -> tuple[Any, Round]:
    from trl import DPOConfig as TrlConfig
    from trl import DPOTrainer

    steps = sum(one.steps for one in done)
    work.expect(config.pairs * config.rounds + steps + 1)
    policy, progress = make_pairs(
        work, config, opened, judge, earlier=[one.policy for one in done], steps=steps
    )
    rows = load_rows(work.folder / PAIRS, policy=policy, decided_by=VERDICTS[config.verdicts])
    if not rows and not done:
        raise BadConfig("The judge preferred no game to another; ask for more pairs.")
    if not rows:
        work.say(f"dpo: the judge preferred nothing in round {len(done) + 1}; the model stays")
        return opened.model, Round(policy, progress, 0, 0)
    trainer = DPOTrainer(
        model=opened.model,
        processing_class=opened.tokenizer,
        train_dataset=_dataset(rows),
        args=TrlConfig(
            **common(config, work) | batches(config),
            num_train_epochs=config.epochs,
            beta=config.beta,
            max_length=_longest(opened),
            lr_scheduler_type="cosine",
            warmup_steps=5,
            logging_steps=1,
        ),
    )
    found = Round(policy, progress, len(rows), trainer_steps(trainer))
    # The rounds to come have about as many steps.
    steps_in_all = steps + found.steps * (config.rounds - len(done))
    work.expect(config.pairs * config.rounds + steps_in_all)
    begun = config.pairs * (len(done) + 1) + steps
    train(trainer, work, RunCallback(work, named(LOGGED), begun=begun, steps=steps))
    return trainer.model, found


def _judge(work: Work, config: DpoConfig) -> Judge:
    if config.judge == "heuristic":
        return heuristic.judge
    _check_judge(config)
    return judge_from_settings(tick=lambda: work.beat(work.run.done))


def _check_judge(config: DpoConfig) -> None:
    # Rules may not judge where a model was asked for, be it only a part of the pairs.
    told = settings.JUDGE
    if not told["url"] and not told["anthropic_key"]:
        raise BadConfig("judge=llm needs BAZAAR_JUDGE_URL, or a key of Claude's (docs/judging.md).")
    # Each pair is judged in both orders.
    calls = 2 * (config.pairs * config.rounds + config.check_games)
    if told["calls"] < calls:
        raise BadConfig(
            f"So many pairs need {calls:,} questions, and BAZAAR_JUDGE_CALLS allows "
            f"{told['calls']:,}; raise it, or ask for fewer pairs."
        )


def _compared(
    work: Work, config: DpoConfig, after: Player, source: str, judge: Judge
) -> dict[str, Any]:
    work.say(f"dpo: {config.check_games} held-out pairs")
    opened = open_model(source, config)
    before = player_of(opened.model, opened.tokenizer, opened.card)
    deals = held_out(config.check_games)

    def tick() -> None:
        work.beat(work.run.done)

    games = {}
    for name, player in (("before", before), ("after", after)):
        with steady(config.seed):
            games[name] = play_games(player, deals, tick=tick)
    ours, theirs = (
        [transcript_of(handed_over(after, game)) for game in games[name]]
        for name in ("after", "before")
    )
    card = renamed(opened.card, config)
    keep_samples(work, games["after"], card.name, card.title)
    return {
        "preference": msgspec.to_builtins(compare(ours, theirs, judge)),
        "before": figures(games["before"]),
        "held_out": figures(games["after"]),
    }


def _dataset(rows: Sequence[Mapping[str, Any]]) -> Any:
    from datasets import Dataset

    return Dataset.from_list(
        [
            {
                "prompt": list(row["prompt"]),
                "chosen": [{"role": "assistant", "content": row["chosen"]}],
                "rejected": [{"role": "assistant", "content": row["rejected"]}],
            }
            for row in rows
        ]
    )


def _longest(opened: Opened[Card]) -> int:
    config = opened.model.config.get_text_config(decoder=True)
    return min(int(config.max_position_embeddings), 2048)
