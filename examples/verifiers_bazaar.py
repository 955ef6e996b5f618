"""Games of the bazaar through ``verifiers``: a taskset, its harness, and any chat completions.

    pip install '.[verifiers]'
    python examples/verifiers_bazaar.py                        # a scripted buyer, nothing else
    python examples/verifiers_bazaar.py --url http://127.0.0.1:8000/v1 --model Qwen/Qwen3-4B

``vf-eval bazaarbatna`` does the same from the command line, and prime-rl trains on the taskset by
the same name. Without ``--url`` a rule answers on a port of its own: half of the ask, then a little
more each round, and it takes what has come within its bid.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PRICES = re.compile(r"Your budget is ([\d.]+)\.|The seller asks ([\d.]+)\.|Round (\d+) of (\d+)")


def scripted(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Choose a tool by rule, as an answer's message."""
    told = "\n".join(str(one.get("content") or "") for one in messages if one["role"] != "system")
    budget, ask, round_, rounds = (float(found[-1]) for found in _columns(told))
    bid = round(min(budget, ask * (0.5 + 0.4 * (round_ - 1) / rounds)), 2)
    name, arguments = ("accept", {}) if ask <= bid else ("offer", {"price": bid})
    call = {"name": name, "arguments": json.dumps(arguments)}
    number = f"call_{len(messages)}"
    calls = [{"id": number, "type": "function", "function": call}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _columns(told: str) -> list[list[str]]:
    rows = PRICES.findall(told)
    return [[row[column] for row in rows if row[column]] for column in range(4)]


class Scripted(BaseHTTPRequestHandler):
    """Chat completions in the form that OpenAI gave them."""

    def do_POST(self) -> None:
        """Answer with the rule's move."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = {
            "id": "scripted",
            "object": "chat.completion",
            "created": 0,
            "model": asked["model"],
            "choices": [
                {
                    "index": 0,
                    "message": scripted(asked["messages"]),
                    "finish_reason": "tool_calls",
                }
            ],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def scripted_server() -> Iterator[str]:
    """Serve the rule; give its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Scripted) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()


def evaluate(url: str, model: str, suite: str, games: int) -> list[dict[str, Any]]:
    """Play games and return the traces of verifiers, one for each."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *(str(Path(sys.executable).with_name("vf-eval")), "bazaarbatna"),
            *("--model", model, "--client.base-url", url, "--client.api-key-var", "MODEL_KEY"),
            *("--env.taskset.suite", suite, "--env.taskset.games", str(games)),
            *("--output-dir", folder, "--no-push"),
        ]
        key = {"MODEL_KEY": os.environ.get("MODEL_KEY", "none")}
        asked = {**os.environ, **key}
        done = subprocess.run(command, check=False, stdout=sys.stderr, env=asked)  # noqa: S603
        if done.returncode:
            raise SystemExit("vf-eval has not played: the last line above says why.")
        lines = [file.read_text() for file in Path(folder).rglob("traces.jsonl")]
    return [json.loads(line) for line in "".join(lines).splitlines()]


def main() -> None:
    """Play, and print every game's share of the zone."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--url", help="chat completions of a model; without it a rule answers")
    parser.add_argument("--model", default="scripted")
    parser.add_argument("--suite", default="people", help="see `python -m bazaarbatna list`")
    parser.add_argument("--games", type=int, default=8)
    asked = parser.parse_args()
    if asked.url:
        rows = evaluate(asked.url, asked.model, asked.suite, asked.games)
    else:
        with scripted_server() as url:
            rows = evaluate(url, asked.model, asked.suite, asked.games)
    shares = {}
    for row in rows:
        (trace,) = row["traces"]
        shares[row["task"]["data"]["seed"]] = trace["rewards"]["share_of_zone"]["score"]
    for seed, share in sorted(shares.items()):
        print(f"game {seed:>4}  share of the zone {share:.3f}")
    print(f"mean of {len(shares)}: {sum(shares.values()) / len(shares):.3f}")


if __name__ == "__main__":
    main()
