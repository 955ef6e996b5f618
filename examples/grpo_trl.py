"""GRPO through the bazaar: a language model learns to bargain against a running site, with TRL.

    pip install trl==1.16.0 peft websockets
    python examples/grpo_trl.py --model Qwen/Qwen3-0.6B --steps 100 --lora 16

It needs a running site (``make play``) and a model whose chat template knows tools in a way that
TRL can read (Qwen 2.5 and 3 do). Every rollout is a bargain of its own over a socket of its own;
all rollouts of a group meet the same seller, item and budget, so what differs is what was said.
"""

import argparse
import json
import os
from typing import Any

from websockets.sync.client import ClientConnection, connect

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

RULES = """You buy one item in a bazaar. You never pay more than your budget. The seller has a
secret lowest price; pay as little above it as you can, and walk away if no price suits you both.
Act only by calling a tool, once per turn."""


class Bargain:
    """One bargain. TRL makes an instance per rollout; public methods are the model's tools."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._socket: ClientConnection | None = None
        self._turn: dict[str, Any] = {"done": True}
        self._reward = 0.0

    def reset(self, seed: int, task: str, **_: object) -> str:
        """Start a bargain; the answer goes into the prompt."""
        self._hang_up()
        self._socket = connect(self._url)
        self._reward = 0.0
        self._turn = self._ask("reset", seed=seed, task=task)
        return self._tell()

    def offer(self, price: float, message: str = "") -> str:
        """Bid for the item.

        Args:
            price: Your bid in rupees.
            message: One short line to the seller.

        Returns:
            The seller's answer.
        """
        return self._act(action="offer", price=price, message=message)

    def accept(self) -> str:
        """Take the seller's standing price.

        Returns:
            How the bargain ended.
        """
        return self._act(action="accept")

    def walk(self) -> str:
        """Leave without the item.

        Returns:
            How the bargain ended.
        """
        return self._act(action="walk")

    def get_reward(self) -> float:
        """Return the sum of the rewards; whoever says nothing more has walked away."""
        while not self._turn["done"]:
            self._act(action="walk")
        self._hang_up()
        return self._reward

    def _act(self, **action: Any) -> str:
        if self._turn["done"]:
            return "The bargain is over."
        self._turn = self._ask("step", **action)
        self._reward += self._turn["reward"]
        return self._tell()

    def _ask(self, kind: str, **data: Any) -> dict[str, Any]:
        if self._socket is None:
            raise RuntimeError("reset comes first")
        self._socket.send(json.dumps({"type": kind, "data": data}))
        answer = json.loads(self._socket.recv(timeout=60))
        if answer["type"] == "error":
            # TRL shows a tool's error to the model, which may then do better.
            raise ValueError(answer["data"]["message"])
        return dict(answer["data"])

    def _tell(self) -> str:
        seen, lines = self._turn["observation"], []
        if ended := seen["result"]:
            price = "" if ended["price"] is None else f" at {ended['price']:.2f}"
            lines.append(f"The bargain is over: {ended['outcome']}{price}.")
        if self._turn["done"]:
            return lines[0]
        tells = {name: value for name, value in (seen["tells"] or {}).items() if value}
        lines += [
            f"{seen['item']['title']}, {seen['item']['condition']}.",
            f"Round {seen['round']} of {seen['max_rounds']}. Your budget is {seen['budget']:.2f}.",
            f"The seller asks {seen['standing_ask']:.2f}.",
            *[f'The seller says: "{turn["message"]}"' for turn in seen["turns"][-1:]],
            *([f"What you notice: {json.dumps(tells)}"] if tells else []),
        ]
        return "\n".join(lines)

    def _hang_up(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


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
        environment_factory=lambda: Bargain(asked.url),
        peft_config=LoraConfig(r=asked.lora, task_type="CAUSAL_LM") if asked.lora else None,
    )


def main() -> None:
    """Train, save, and say how the rewards went."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--url", default="ws://127.0.0.1:8000/env/bazaar/ws")
    parser.add_argument("--model", required=True, help="folder, or name on the Hugging Face hub")
    parser.add_argument("--task", default="single_deal")
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
