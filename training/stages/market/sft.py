"""From nothing to a lab: it learns to answer a position of the market as its teacher did."""

from collections.abc import Sequence
from typing import Any

from transformers import set_seed

from arena.gpu_market.dialect.text import FRAMES, SHORTS
from arena.gpu_market.trained.cards import LabCard
from arena.gpu_market.trained.seat import seat_of
from bazaarbatna.market import TASK_NAMES
from training.data.seeds import MARKET_CHOOSE_FROM
from training.data.traces import Trace, TraceRecipe, traces
from training.stages.base import new_llama, train_tokenizer
from training.stages.config import MarketSftConfig
from training.stages.games import answers_in, mean_of, obeyed, steady
from training.stages.market.episodes import Episode, World, play_episodes, write_records
from training.stages.model_files import name_of, save_model, title_of
from training.stages.trainers import (
    common,
    in_batches,
    last_loss,
    reading,
    train_whole,
)
from training.stages.work import Work

READ_FOR_TOKENS = 20_000  # Lessons from which the tokenizer is made

LOGGED = {"loss": "loss", "mean_token_accuracy": "accuracy", "learning_rate": "learning_rate"}
"""What is kept of the trainer's log, by its own names."""

RECORDED = 3  # Episodes that are kept to be read, one of each task


def unseen(episodes: int, first: int = MARKET_CHOOSE_FROM) -> list[World]:
    """Choose worlds: the tasks in turn, each with seeds from ``first`` on; lab_0 is played."""
    count = len(TASK_NAMES)
    return [World(TASK_NAMES[n % count], first + n // count) for n in range(episodes)]


def lab_figures(episodes: Sequence[Episode], seed: int = 0) -> dict[str, Any]:
    """Sum episodes up: ``return`` with its 95 % interval, the same of each task under ``tasks``.

    ``valid_json`` and ``legal`` are parts of all answers, 0..1.
    """
    by_task = {
        task: mean_of([one.total for one in episodes if one.world.task == task], seed)
        for task in TASK_NAMES
    }
    return {
        "episodes": len(episodes),
        "answers": answers_in(episodes),
        "return": mean_of([one.total for one in episodes], seed),
        "tasks": by_task,
        **obeyed(episodes),
    }


def in_words(found: dict[str, Any]) -> str:
    """Return figures in a line."""
    tasks = ", ".join(f"{task} {one['mean']:.3f}" for task, one in found["tasks"].items() if one)
    return (
        f"unseen markets: return {found['return']['mean']:.3f} ({tasks}), "
        f"valid {found['valid_json']:.4f}, legal {found['legal']:.4f}"
    )


def run_market_sft(work: Work, config: MarketSftConfig) -> dict[str, Any]:
    """Make tokenizer and model, train on traces, and let the lab play unseen markets."""
    from trl import SFTConfig as TrlConfig
    from trl import SFTTrainer

    set_seed(config.seed)
    work.say(f"market-sft: traces of {config.teacher}")
    found = traces(TraceRecipe(config.teacher, config.episodes, config.wander, config.seed))
    lessons = found.all()
    texts = [part for one in lessons[:: _pace(lessons)] for part in (one.prompt, one.answer)]
    tokenizer = train_tokenizer(texts, config.vocabulary, config.context, FRAMES, close=SHORTS)
    model = new_llama(config, tokenizer)
    trainer = SFTTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=_rows(tokenizer, _weighed(lessons, config.deeds), config),
        args=TrlConfig(
            **common(config, work) | reading(config, config.epochs, config.context),
            completion_only_loss=True,
            # The order is made beforehand, see in_batches.
            train_sampling_strategy="sequential",
        ),
    )
    train_whole(trainer, work, LOGGED)
    card = LabCard(name=name_of(config), title=title_of(config), teacher=config.teacher)
    save_model(work, trainer.model, tokenizer, card)
    work.say(f"market-sft: {config.check_episodes} unseen markets")
    with steady(config.seed):
        played = play_episodes(
            seat_of(trainer.model, tokenizer, card),
            unseen(config.check_episodes),
            tick=lambda: work.beat(work.run.done),
        )
    write_records(work.folder, [(card.name, one) for one in played[:RECORDED]])
    figures = lab_figures(played)
    work.say(f"market-sft: {in_words(figures)}")
    return {
        "parameters": sum(part.numel() for part in model.parameters()),
        "vocabulary": len(tokenizer),
        "lessons": found.card["lessons"],
        "by_action": found.card["lessons by action"],
        "loss": last_loss(trainer),
        "held_out": figures,
    }


def _pace(lessons: Sequence[Trace]) -> int:
    return max(1, len(lessons) // READ_FOR_TOKENS)


def _weighed(lessons: Sequence[Trace], times: int) -> list[Trace]:
    # In most turns a teacher waits.
    return [one for one in lessons for _ in range(1 if one.action == "wait" else times)]


def _rows(tokenizer: Any, lessons: Sequence[Trace], config: MarketSftConfig) -> Any:
    # As the tokenizer's template would; TRL takes minutes for that.
    from datasets import Dataset

    prompts = tokenizer([f"{one.prompt}\n" for one in lessons]).input_ids
    answers = tokenizer([f"{one.answer}{tokenizer.eos_token}" for one in lessons]).input_ids
    pairs = in_batches(list(zip(prompts, answers, strict=True)), config)
    return Dataset.from_dict(
        {
            "input_ids": [prompt + answer for prompt, answer in pairs],
            "completion_mask": [[0] * len(prompt) + [1] * len(answer) for prompt, answer in pairs],
        }
    )
