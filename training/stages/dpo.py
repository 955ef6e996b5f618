"""DPO: two games of every scenario, a judge's word, and the model leans to what it preferred."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from django.conf import settings
from transformers import set_seed

from agents.backends.local.player import Player
from agents.checkpoints import Card
from training.data.seeds import first_seed
from training.judging import heuristic
from training.judging.counting import Progress
from training.judging.dataset import load_rows
from training.judging.llm import judge_from_settings
from training.judging.pair_file import ScenarioKey
from training.judging.pairs import Job, build_pairs
from training.judging.preference import compare
from training.judging.transcript import PlayedGame, PlayedTurn, transcript_of
from training.judging.verdict import DecidedBy, Judge
from training.stages.arguments import batches, common
from training.stages.checking import held_out as held_out_deals
from training.stages.checking import keep_samples, player_of, steady
from training.stages.config import BadConfig, DpoConfig
from training.stages.counting import trainer_steps
from training.stages.following import Following, train
from training.stages.games import Deal, Game, play_games, rounds_left
from training.stages.loading import Opened, adapter_of, open_model
from training.stages.measuring import figures
from training.stages.names import name_of, title_of
from training.stages.saving import save_model
from training.stages.work import PAIRS, Work

PAIRS_AT_ONCE = 128

VERDICTS: Mapping[str, frozenset[DecidedBy] | None] = {
    "all": None,
    "play": frozenset({"deal", "surplus", "ask", "failures", "model"}),
    "manners": frozenset({"failures", "rounds", "words", "model"}),
}
"""What verdicts that are learned from were decided by; None for anything."""


def run_dpo(work: Work, config: DpoConfig, source: str) -> dict[str, Any]:
    """Make pairs, train on them, and let the judge compare the model before and after.

    Args:
        work: the run.
        config: its settings.
        source: folder of the model to begin with.

    Returns:
        The summary: pairs, preference on held-out games, and both models' figures.
    """
    from trl import DPOConfig as TrlConfig
    from trl import DPOTrainer

    set_seed(config.seed)
    opened = open_model(source, config)
    if opened.card is None:
        raise BadConfig("DPO begins with a model that bargains: one of SFT or GRPO.")
    card = msgspec.structs.replace(opened.card, name=name_of(config), title=title_of(config))
    judge = _judge(work, config)
    work.run.total = config.pairs + 1
    work.run.save(update_fields=["total"])
    progress = _pairs(work, config, opened, opened.card, judge)
    rows = load_rows(work.folder / PAIRS, decided_by=VERDICTS[config.verdicts])
    if not rows:
        raise BadConfig("The judge preferred no game to another; ask for more pairs.")
    trainer = DPOTrainer(
        model=opened.model,
        processing_class=opened.tokenizer,
        train_dataset=_dataset(rows),
        peft_config=adapter_of(config, opened),
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
    work.run.total = config.pairs + trainer_steps(trainer)
    work.run.save(update_fields=["total"])
    train(trainer, work, Following(work, _renamed, begun=config.pairs))
    save_model(work, trainer.model, opened.tokenizer, card)
    after = player_of(trainer.model, opened.tokenizer, card)
    return {
        "pairs": msgspec.to_builtins(progress),
        "rows": len(rows),
        **_compared(work, config, after, opened.card, source, judge),
    }


def _judge(work: Work, config: DpoConfig) -> Judge:
    if config.judge == "heuristic":
        return heuristic.judge
    _check_judge(config)
    return judge_from_settings(tick=lambda: work.beat(work.run.done))


def _check_judge(config: DpoConfig) -> None:
    """Refuse to let rules judge where a model was asked for, be it only a part of the pairs."""
    told = settings.JUDGE
    if not told["url"] and not told["anthropic_key"]:
        raise BadConfig("judge=llm needs BAZAAR_JUDGE_URL, or a key of Claude's (docs/judging.md).")
    # Each pair is judged in both orders.
    calls = 2 * (config.pairs + config.check_games)
    if told["calls"] < calls:
        raise BadConfig(
            f"So many pairs need {calls:,} questions, and BAZAAR_JUDGE_CALLS allows "
            f"{told['calls']:,}; raise it, or ask for fewer pairs."
        )


def _pairs(work: Work, config: DpoConfig, opened: Opened, card: Card, judge: Judge) -> Progress:
    work.say(f"dpo: {config.pairs} pairs of games")
    player = player_of(opened.model, opened.tokenizer, card)
    deals = deals_of(config)

    def told(progress: Progress) -> None:
        work.beat(progress.done)

    def played(jobs: Sequence[Job]) -> list[PlayedGame]:
        # Drawn anew for each batch: a run that goes on plays the rest as if it had never stopped.
        with steady(jobs[0].seed):
            return play_jobs(player, jobs, config.late, lambda: work.beat(work.run.done))

    return build_pairs(
        played,
        [ScenarioKey(deal.suite, deal.seed) for deal in deals],
        judge,
        work.folder / PAIRS,
        policy=f"{card.name} of {card.made_by}",
        temperatures=(config.cool, config.warm),
        batch=PAIRS_AT_ONCE,
        on_pair=told,
    )


def deals_of(config: DpoConfig) -> list[Deal]:
    """Choose what is played twice, evenly over all suites."""
    return held_out_deals(config.pairs, first_seed("dpo", config.seed))


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


def _compared(
    work: Work, config: DpoConfig, after: Player, card: Card, source: str, judge: Judge
) -> dict[str, Any]:
    """Let the judge compare the model with the one it began as, on held-out games."""
    work.say(f"dpo: {config.check_games} held-out pairs")
    opened = open_model(source, config)
    before = player_of(opened.model, opened.tokenizer, card)
    deals = held_out_deals(config.check_games)

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
    keep_samples(work, games["after"], name_of(config), title_of(config))
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


def _longest(opened: Opened) -> int:
    config = opened.model.config.get_text_config(decoder=True)
    return min(int(config.max_position_embeddings), 2048)


def _renamed(logs: Mapping[str, Any]) -> dict[str, float]:
    if "loss" not in logs:
        return {}
    names = {"loss": "loss", "rewards/accuracies": "accuracy", "rewards/margins": "margin"}
    return {ours: float(logs[theirs]) for theirs, ours in names.items() if theirs in logs}
