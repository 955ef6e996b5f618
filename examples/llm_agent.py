"""A language model that bargains: any server with OpenAI-style chat completions.

    pip install httpx websockets
    OPENAI_BASE_URL=http://127.0.0.1:11434/v1 python examples/llm_agent.py --model llama3.1

It needs a running site (``make play``) and a model server: Ollama, vLLM, ``transformers serve`` or
a paid one with ``OPENAI_API_KEY``. What the model says that is no action costs it the turn: the
last bid is held.
"""

import argparse
import json
import os
import re
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

RULES = """You buy one item in a bazaar. You never pay more than your budget. The seller has a
secret lowest price; pay as little above it as you can, and leave if no price suits you both.
Answer with one JSON object and nothing else:
{"action": "offer" or "accept" or "walk", "price": rupees or null, "message": "one short line"}"""


def describe(seen: dict[str, Any]) -> str:
    """Tell the model what is on the table."""
    item = seen["item"]
    lines = [
        f"Item: {item['title']}. {item['condition']}.",
        f"Round {seen['round']} of {seen['max_rounds']}. Your budget: {seen['budget']:.2f}.",
        f"The first ask was {seen['opening_ask']:.2f}, now it is {seen['standing_ask']:.2f}.",
    ]
    if seen["deadline"]:
        lines.append(f"After round {seen['deadline']} a deal is worth half to you.")
    if seen["own_last_bid"]:
        lines.append(f"Your standing bid: {seen['own_last_bid']:.2f}.")
    if seen["persona"]:
        lines.append(f"They call this seller {seen['persona']}.")
    if seen["tells"]:
        noticed = {name: value for name, value in seen["tells"].items() if value}
        lines.append(f"What you notice about the seller: {json.dumps(noticed)}.")
    for turn in seen["turns"]:
        who = "You" if turn["actor"] == "buyer" else "Seller"
        price = "" if turn["price"] is None else f" {turn['price']:.2f}"
        lines.append(f"{who}: {turn['action']}{price}. {turn['message']}")
    return "\n".join(lines)


def read(text: str, seen: dict[str, Any]) -> dict[str, Any]:
    """Take the first JSON object out of what the model said; hold the last bid if there is none."""
    found = re.search(r"\{[^{}]*\}", text)
    try:
        said = json.loads(found.group(0)) if found else {}
    except json.JSONDecodeError:
        said = {}
    action, price = said.get("action"), said.get("price")
    message = str(said.get("message") or "")[:200]
    if action in ("accept", "walk"):
        return {"action": action, "message": message}
    if action != "offer" or type(price) not in (int, float) or not abs(price) < 1e9:
        price = seen["own_last_bid"] or round(0.4 * seen["opening_ask"], 2)
    return {"action": "offer", "price": price, "message": message}


def complete(server: httpx.Client, model: str, seen: dict[str, Any]) -> str:
    """Ask the model for its turn."""
    messages = [{"role": "system", "content": RULES}, {"role": "user", "content": describe(seen)}]
    body = {"model": model, "messages": messages, "temperature": 0.3, "max_tokens": 120}
    answer = server.post("chat/completions", json=body)
    answer.raise_for_status()
    return answer.json()["choices"][0]["message"]["content"] or ""


def ask(bazaar: ClientConnection, kind: str, **data: Any) -> dict[str, Any]:
    """Send one message to the environment and give what it was answered."""
    bazaar.send(json.dumps({"type": kind, "data": data}))
    answer = json.loads(bazaar.recv())
    if answer["type"] == "error":
        raise SystemExit(f"{answer['data']['code']}: {answer['data']['message']}")
    return dict(answer["data"])


def play(bazaar: ClientConnection, server: httpx.Client, model: str, **reset: Any) -> float:
    """Play one game aloud and give its score."""
    turn = ask(bazaar, "reset", **reset)
    while not turn["done"]:
        seen = turn["observation"]
        action = read(complete(server, model, seen), seen)
        print(f"round {seen['round']}: asked {seen['standing_ask']:.2f} -> {json.dumps(action)}")
        turn = ask(bazaar, "step", **action)
        if result := turn["observation"]["result"]:
            price = "" if result["price"] is None else f" at {result['price']:.2f}"
            print(f"{result['outcome']}{price}; the limit was {result['reservation_price']:.2f}\n")
    return float(turn["metadata"]["score"])


def main() -> None:
    """Play games and say how they went."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--url", default="ws://127.0.0.1:8000/env/bazaar/ws")
    parser.add_argument("--model", required=True)
    parser.add_argument("--server", default=os.environ.get("OPENAI_BASE_URL"))
    parser.add_argument("--task", default="single_deal")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    asked = parser.parse_args()
    if asked.games < 1:
        parser.error("--games is at least 1")
    if not asked.server:
        parser.error("name a model server: --server or OPENAI_BASE_URL, like http://host:port/v1")
    key = os.environ.get("OPENAI_API_KEY", "")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    base = asked.server.rstrip("/") + "/"
    # A model may think longer than the site's socket expects a pong, so nobody is asked for one.
    with (
        httpx.Client(base_url=base, headers=headers, timeout=120) as server,
        connect(asked.url, ping_interval=None) as bazaar,
    ):
        seeds = range(asked.seed, asked.seed + asked.games)
        scores = [play(bazaar, server, asked.model, task=asked.task, seed=seed) for seed in seeds]
    print(f"{asked.task}: {len(scores)} games, mean score {sum(scores) / len(scores):.3f}")


if __name__ == "__main__":
    try:
        main()
    except (OSError, httpx.HTTPError) as wrong:
        raise SystemExit(f"{wrong}. Do both run, the site (make play) and the model?") from None
