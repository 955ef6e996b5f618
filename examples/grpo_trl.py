"""GRPO in the bazaar: a language model learns to bargain by calling tools, with TRL.

    pip install bazaarbatna trl==1.16.0 peft
    python examples/grpo_trl.py --model Qwen/Qwen3-0.6B --steps 100 --lora 16

It needs a model whose chat template knows tools in a way that TRL can read (Qwen 2.5 and 3 do), and
no server; with ``--url ws://host/env/bazaar/ws`` (and ``websockets``) the bargains are played at a
site: at full speed on its own machine, elsewhere where whoever runs it lifts its pace with
``BAZAAR_ENV_MESSAGES=0 BAZAAR_ENV_GAMES=0``. All rollouts of a group meet the same seller, item and
budget, so what differs is what was said.
"""

import argparse
import os
from typing import Any

from bazaarbatna.envs.bargain.tools import BazaarEnv
from bazaarbatna.envs.bargain.words import RULES

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")


def make_trainer(asked: argparse.Namespace) -> Any:
    """Put model, environment and GRPO together."""
    import torch
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer

    prompt = [{"role": "system", "content": RULES}, {"role": "user", "content": ""}]
    seeds = range(asked.seed, asked.seed + asked.games)
    on_cpu = asked.cpu or not torch.cuda.is_available()
    config = GRPOConfig(
        output_dir=asked.out,
        max_steps=asked.steps,
        learning_rate=asked.learning_rate,
        per_device_train_batch_size=asked.group,
        num_generations=asked.group,
        max_completion_length=asked.tokens,
        max_tool_calling_iterations=asked.turns,
        chat_template_kwargs={"enable_thinking": False},
        use_cpu=on_cpu,
        bf16=not on_cpu,
        seed=asked.seed,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
    )
    return GRPOTrainer(
        model=asked.model,
        args=config,
        processing_class=AutoTokenizer.from_pretrained(asked.model, padding_side="left"),
        train_dataset=Dataset.from_list(
            [{"prompt": prompt, "seed": seed, "task": asked.task} for seed in seeds]
        ),
        environment_factory=lambda: BazaarEnv(asked.url),
        peft_config=LoraConfig(r=asked.lora, task_type="CAUSAL_LM") if asked.lora else None,
    )


def main() -> None:
    """Train, save, and say how the rewards went."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--url", help="socket of a site; without it bargains are played here")
    parser.add_argument("--model", required=True, help="folder, or name on the Hugging Face hub")
    parser.add_argument("--task", default="people", help="see `python -m bazaarbatna list`")
    parser.add_argument("--steps", type=int, default=100, help="updates of the weights")
    parser.add_argument("--group", type=int, default=8, help="rollouts of each game")
    parser.add_argument("--games", type=int, default=1000, help="different games to draw from")
    parser.add_argument("--turns", type=int, default=12, help="tool calls in a rollout, at most")
    parser.add_argument("--tokens", type=int, default=1024, help="of a whole rollout, at most")
    parser.add_argument("--learning-rate", type=float, default=1e-5)
    parser.add_argument("--lora", type=int, default=0, help="rank of an adapter; 0 trains all")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--cpu", action="store_true", help="even where there is a GPU")
    parser.add_argument("--out", default="grpo-bazaar")
    trainer = make_trainer(parser.parse_args())
    trainer.train()
    trainer.save_model()
    rewards = [row["reward"] for row in trainer.state.log_history if "reward" in row]
    print(f"{len(rewards)} steps, mean reward {rewards[0]:.3f} -> {rewards[-1]:.3f}")


if __name__ == "__main__":
    main()
