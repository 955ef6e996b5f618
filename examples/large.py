"""A model of 0.5 to 8B learns to bargain with TRL's own trainers: SFT, then DPO or GRPO.

    pip install '.[train]'                               # and 'trl[vllm]', for --vllm
    python examples/large.py sft --model Qwen/Qwen3-1.7B --lora 16 --out sft
    python examples/large.py dpo --model sft/merged --lora 16 --out dpo
    python examples/large.py grpo --model sft/merged --lora 16 --vllm --out grpo

``examples/large.md`` has memory, hours and cost for two cards, the command for a hub job, and what
to look at. It needs a model whose chat template knows tools in a way that TRL can read (Qwen 2.5
and 3 do), and no server; with ``--url ws://host/env/bazaar/ws`` GRPO plays at a site.
"""

import argparse
import importlib.util
import inspect
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bazaarbatna.bargain.moves import Offer
from bazaarbatna.commands.rollout import find_rule
from bazaarbatna.envs.bargain.resets import Reset, wanted_suite
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from bazaarbatna.envs.bargain.tools import BazaarEnv
from bazaarbatna.envs.bargain.words import RULES
from bazaarbatna.offline import answered

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

NO_VLLM = "vLLM is not installed; leave it out, or pip install 'trl[vllm]'"

TEACHERS = ("conceder", "climber", "schedule", "linear", "halver")
"""Rules that show how: of each game the best of their bargains is learned from."""

CLEAR = 0.1
"""Two moves are a pair where what they lead to differs by this much reward."""

Message = dict[str, Any]


def called(move: Any) -> tuple[str, dict[str, Any]]:
    """Write a rule's move as the tool and the arguments that a model would call it with."""
    kept = answered(move)
    words = {"message": kept.message} if kept.message else {}
    return kept.action, {"price": kept.price, **words} if isinstance(move, Offer) else {}


def said(name: str, arguments: dict[str, Any]) -> Message:
    """Write a call as a message of the assistant."""
    call = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": "", "tool_calls": [call]}


def opening(told: str) -> list[Message]:
    """Return the messages before the first move; GRPO puts the same before a model."""
    return [{"role": "system", "content": RULES}, {"role": "user", "content": told}]


def play(task: str, seed: int, rules: list[str]) -> tuple[list[Message], float]:
    """Let rules play one game, the first one its first move and so on, the last one the rest.

    Returns the conversation, and the reward that the environment paid.
    """
    env, game = BazaarEnv(), SuiteGame(wanted_suite(Reset(task=task)), seed)
    messages = opening(env.reset(seed=seed, task=task))
    players = [find_rule(name)(seed) for name in rules]
    while (seen := game.observation) is not None:
        move = players[min(len(messages) // 2 - 1, len(players) - 1)].act(seen)
        name, arguments = called(move)
        game.step(move)
        tool = env.accept if name == "accept" else env.walk
        told = env.offer(**arguments) if name == "offer" else tool()
        messages += [said(name, arguments), {"role": "tool", "name": name, "content": told}]
    return messages, env.get_reward()


def demonstrations(task: str, seeds: range) -> Iterator[dict[str, Any]]:
    """Give the best bargain of the teachers in each game."""
    for seed in seeds:
        best, _ = max((play(task, seed, [name]) for name in TEACHERS), key=lambda one: one[1])
        yield {"messages": best[:-1], "tools": tools()}


def pairs(task: str, seeds: range) -> Iterator[dict[str, Any]]:
    """Give two moves in one position of each game where both lead to clearly different rewards."""
    for seed in seeds:
        first = TEACHERS[seed % len(TEACHERS)]
        whole, reward = play(task, seed, [first])
        turn = seed % ((len(whole) - 2) // 2)
        for other in TEACHERS:
            again, paid = play(task, seed, [first] * turn + [other])
            place = 2 + 2 * turn
            moves = whole[place], again[place]
            if moves[0] != moves[1] and abs(paid - reward) >= CLEAR:
                good, bad = moves if reward > paid else moves[::-1]
                kept = {"prompt": whole[:place], "chosen": [good], "rejected": [bad]}
                yield {**kept, "tools": tools()}
                break


def tools() -> list[dict[str, Any]]:
    """Describe the environment's tools in the order in which TRL does."""
    from transformers.utils import get_json_schema

    names = [name for name, _ in inspect.getmembers(BazaarEnv, inspect.isfunction)]
    return [
        get_json_schema(getattr(BazaarEnv(), name))
        for name in names
        if not name.startswith("_") and name not in ("reset", "get_reward")
    ]


def common(asked: argparse.Namespace, on_cpu: bool) -> dict[str, Any]:
    """Return what all three trainers are told."""
    return {
        "output_dir": asked.out,
        "max_steps": asked.steps,
        "learning_rate": asked.learning_rate,
        "per_device_train_batch_size": asked.batch,
        "gradient_accumulation_steps": asked.accumulate,
        "gradient_checkpointing": not on_cpu,
        "model_init_kwargs": {"dtype": "float32" if on_cpu else "bfloat16"},
        "use_cpu": on_cpu,
        "bf16": not on_cpu,
        "seed": asked.seed,
        "logging_steps": 1 if asked.steps < 100 else 10,
        "save_strategy": "steps",
        "save_steps": asked.save,
        "save_total_limit": 2,
        "report_to": "none",
    }


def make_trainer(asked: argparse.Namespace) -> Any:
    """Put model, data or environment, and trainer together."""
    import torch
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import AutoTokenizer, BitsAndBytesConfig
    from trl import DPOConfig, DPOTrainer, GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

    on_cpu = asked.cpu or not torch.cuda.is_available()
    told, seeds = common(asked, on_cpu), range(asked.seed, asked.seed + asked.games)
    four = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_compute_dtype=torch.bfloat16,
        bnb_4bit_use_double_quant=True,
    )
    lora = LoraConfig(
        r=asked.lora, lora_alpha=2 * asked.lora, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    kept = {
        "model": asked.model,
        "processing_class": AutoTokenizer.from_pretrained(
            asked.model, padding_side="left", trust_remote_code=False
        ),
        "peft_config": lora if asked.lora else None,
        "quantization_config": four if asked.four_bit else None,
    }
    if asked.stage == "sft":
        rows = Dataset.from_list(list(demonstrations(asked.task, seeds)))
        config = SFTConfig(**told, assistant_only_loss=True, max_length=asked.tokens)
        return SFTTrainer(args=config, train_dataset=rows, **kept)
    if asked.stage == "dpo":
        rows = Dataset.from_list(list(pairs(asked.task, seeds)))
        config = DPOConfig(**told, max_length=asked.tokens)
        return DPOTrainer(args=config, train_dataset=rows, **kept)
    rows = Dataset.from_list(
        [{"prompt": opening(""), "seed": seed, "task": asked.task} for seed in seeds]
    )
    config = GRPOConfig(
        **told,
        num_generations=asked.group,
        max_completion_length=asked.tokens,
        max_tool_calling_iterations=asked.turns,
        chat_template_kwargs={"enable_thinking": False},
        use_vllm=asked.vllm,
        vllm_mode="colocate",
        vllm_gpu_memory_utilization=asked.vllm_memory,
        vllm_enable_sleep_mode=asked.vllm,
    )
    return GRPOTrainer(
        args=config,
        train_dataset=rows,
        environment_factory=lambda: BazaarEnv(asked.url),
        **kept,
    )


def save(trainer: Any, folder: Path) -> Path:
    """Write the model; return the folder of the whole one, which next stage and server take."""
    from peft import AutoPeftModelForCausalLM

    trainer.save_model(str(folder))
    if not (folder / "adapter_config.json").is_file():
        return folder
    whole = folder / "merged"
    if trainer.accelerator.is_main_process:
        adapted = AutoPeftModelForCausalLM.from_pretrained(
            folder, dtype="auto", trust_remote_code=False
        )
        adapted.merge_and_unload().save_pretrained(whole)
        trainer.processing_class.save_pretrained(whole)
    return whole


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line, or the words of a run of the site."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("stage", choices=("sft", "dpo", "grpo"))
    parser.add_argument("--model", required=True, help="folder, or name on the Hugging Face hub")
    parser.add_argument("--task", default="people", help="see `python -m bazaarbatna list`")
    parser.add_argument("--steps", type=int, default=200, help="updates of the weights")
    parser.add_argument("--games", type=int, default=2000, help="different games to draw from")
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the first game")
    parser.add_argument("--batch", type=int, default=8, help="rows on a card at once")
    parser.add_argument("--accumulate", type=int, default=1, help="batches of one update")
    parser.add_argument("--learning-rate", type=float, default=1e-5)
    parser.add_argument(
        "--tokens", type=int, default=1536, help="of a row, or of a rollout's moves"
    )
    parser.add_argument("--lora", type=int, default=0, help="rank of an adapter; 0 trains all")
    parser.add_argument("--four-bit", action="store_true", help="QLoRA: the weights in 4 bits")
    parser.add_argument("--group", type=int, default=8, help="GRPO: rollouts of each game")
    parser.add_argument("--turns", type=int, default=12, help="GRPO: tool calls of a rollout, most")
    parser.add_argument("--vllm", action="store_true", help="GRPO: vLLM on the same card generates")
    parser.add_argument("--vllm-memory", type=float, default=0.4, help="its part of the card")
    parser.add_argument("--url", help="GRPO: socket of a site; without it bargains are played here")
    parser.add_argument("--save", type=int, default=50, help="steps between checkpoints")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--cpu", action="store_true", help="even where there is a GPU")
    parser.add_argument("--out", default="bazaar-model")
    asked = parser.parse_args(words)
    if asked.four_bit and not asked.lora:
        parser.error("4-bit weights are not trained themselves: add --lora 16")
    if asked.four_bit and asked.vllm:
        parser.error("vLLM takes no weights of 4 bits from a trainer: leave one of both out")
    if asked.vllm and not has_vllm():
        parser.error(NO_VLLM)
    try:
        wanted_suite(Reset(task=asked.task))
    except ValueError as wrong:
        parser.error(str(wrong))
    return asked


def has_vllm() -> bool:
    """Whether it is here; TRL asks only when the weights are loaded."""
    return importlib.util.find_spec("vllm") is not None


def main() -> None:
    """Train, save, and say how it went."""
    asked = read_arguments()
    try:
        trainer = make_trainer(asked)
    except (ImportError, OSError, ValueError) as wrong:
        raise SystemExit(f"{asked.model!r} cannot be trained: {wrong}") from None
    trainer.train(resume_from_checkpoint=asked.resume or None)
    save(trainer, Path(asked.out))
    key = "reward" if asked.stage == "grpo" else "loss"
    seen = [row[key] for row in trainer.state.log_history if key in row]
    print(f"{trainer.state.global_step} steps, mean {key} {seen[0]:.3f} -> {seen[-1]:.3f}")


if __name__ == "__main__":
    main()
