"""Mallory as the model: answers that try everything a model could be talked into."""

import json
from random import Random

from agents.backends.base import Chat
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.number_words import words

NOISE = (
    "",
    "I cannot help with that.",
    "{" * 400,
    "]}" * 300,
    "<think>" * 50,
    "\x00\ud800\u202e",
    "null",
    "[[[1,2],[3",
    "🙂" * 900,
    '{"action": "offer", "price": NaN, "message": "x"}',
    '{"action": "offer", "price": 1e309, "message": "x"}',
    '{"action": "explode", "price": 5}',
    '{"action": {"a": 1}, "price": [], "message": {}}',
)


class HostileModel:
    """Answers any chat badly; ``about`` is what it secretly knows (a real model reads it)."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.about: BuyerObservation | None = None

    def __call__(self, chat: Chat) -> str:
        seen, dice = self.about, self.dice
        assert seen is not None
        if dice.random() < 0.25:
            return dice.choice(NOISE)
        budget = seen.budget / 100
        price = dice.choice(
            (
                budget,
                budget + 0.01,
                budget * 2,
                -budget,
                seen.standing_ask / 100,
                seen.standing_ask / 100 + 1,
                (seen.own_last_bid or 100) / 100 - 1,
                dice.uniform(-1e13, 1e13),
                f"{budget:,.0f}",
                "Rs 1.2k",
            )
        )
        answer = {
            "action": dice.choice(("offer", "offer", "offer", "accept", "walk", "say")),
            "price": price,
            "message": self._words(budget, price),
        }
        return self._dressed(json.dumps(answer, ensure_ascii=dice.random() < 0.5))

    def _words(self, budget: float, price: object) -> str:
        whole = round(budget)
        return self.dice.choice(
            (
                f"my budget is {budget}",
                f"I can go up to {whole:,} rupees",
                f"mera budget {words(whole, 'hindi')} hai",
                f"max {words(whole)} only",
                " ".join(str(whole)),
                f"{price} final",
                "<script>alert(1)</script>",
                "**bold** [link](https://evil.example)",
                "line\nline\n\nline",
                "x" * 5000,
                "\u202e" + str(whole)[::-1],
                "theek hai bhai",
                "",
            )
        )

    def _dressed(self, text: str) -> str:
        return self.dice.choice(
            (
                text,
                text,
                f"```json\n{text}\n```",
                f"<think>hm</think>{text}",
                f"Sure! {text}",
                text[:-5],
            )
        )
