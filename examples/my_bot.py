"""A bot for BazaarBATNA, with the token of its registration. Change `decide`, keep the rest.

pip install websockets
python examples/my_bot.py ws://127.0.0.1:8000 bzr_token
"""

import json
import sys

from websockets.sync.client import connect


def decide(seen: dict) -> dict:
    """Open at 40 % of the asking price, give 6 % a round, take what is close enough."""
    bid = min(seen["budget"], seen["opening_ask"] * (0.34 + 0.06 * seen["round"]))
    if seen["may_accept"] and seen["standing_ask"] <= 1.05 * bid:
        return {"action": "accept", "message": "Done."}
    return {"action": "offer", "price": round(bid, 2), "message": "Cash, today."}


def play(site: str, token: str) -> str:
    """Play whatever the site deals over one connection; return what it says after the last game."""
    with connect(f"{site}/env/bots/ws") as line:
        say = {"type": "reset", "data": {"token": token}}
        while True:
            line.send(json.dumps(say))
            told = json.loads(line.recv())
            if told["type"] == "error":
                return told["data"]["message"]
            seen = told["data"]["observation"]
            say = {"type": "reset"} if seen["done"] else {"type": "step", "data": decide(seen)}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(play(*sys.argv[1:]))
