"""A bot for BazaarBATNA: behind HTTP, or as a client with a token. Change `decide`, keep the rest.

python examples/my_bot.py serve 9000                              register http://your-host:9000/
python examples/my_bot.py play ws://127.0.0.1:8000 bzr_token      no address needed
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from websockets.sync.client import connect


def decide(seen: dict) -> dict:
    """Open at 40 % of the asking price, give 6 % a round, take what is close enough."""
    bid = min(seen["budget"], seen["opening_ask"] * (0.34 + 0.06 * seen["round"]))
    if seen["may_accept"] and seen["standing_ask"] <= 1.05 * bid:
        return {"action": "accept", "message": "Done."}
    return {"action": "offer", "price": round(bid, 2), "message": "Cash, today."}


class Bot(BaseHTTPRequestHandler):
    """Answers each observation with an action, and a greeting with the same greeting."""

    def do_POST(self) -> None:
        """Answer one question."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(asked if "hello" in asked else decide(asked)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def play(site: str, token: str) -> str:
    """Play whatever the site deals over one connection; give what it says when there is no more."""
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
    match sys.argv[1:]:
        case ["serve", port]:
            ThreadingHTTPServer(("", int(port)), Bot).serve_forever()
        case ["play", site, token]:
            print(play(site, token))
        case _:
            sys.exit(__doc__)
