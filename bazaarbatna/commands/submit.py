"""Play for the leaderboard without a connection, sign the games, and hand them in."""

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import msgspec

from bazaarbatna import offline
from bazaarbatna.bargain.match import Buyer
from bazaarbatna.commands import Refused
from bazaarbatna.commands.rollout import find_rule

HAND_IN = "/api/bots/results/"
AT_HOME = ("localhost", "127.0.0.1", "::1")
WAIT_S = 120.0


def find_buyer(name: str) -> Callable[[int], Buyer]:
    """Return what makes the buyer of a game from its seed: a rule, or ``module:name``.

    Raises:
        Refused: there is none; the message says what was looked for.
    """
    module, _, factory = name.partition(":")
    if not factory or module == "rules":
        return find_rule(name)
    sys.path.insert(0, str(Path.cwd()))
    try:
        made = getattr(import_module(module), factory)
    except (ImportError, AttributeError) as wrong:
        raise Refused(f"{name!r} cannot be imported: {wrong}.") from wrong
    if not callable(made):
        raise Refused(f"{name!r} is not callable: it takes a seed and makes a buyer.")
    found: Callable[[int], Buyer] = made
    return found


def submit(asked: argparse.Namespace) -> int:
    """Play, write the signed file, and hand it in where a site is named."""
    token = asked.token.read_text().strip() if asked.token.is_file() else ""
    if not token:
        told = f"{asked.token} holds no token: /bots/ of a site gives one, once, to write there."
        raise offline.BadSubmission(told)
    address = _address(asked.url) if asked.url else ""
    make, suites = find_buyer(asked.buyer), offline.wanted_suites(asked.bargains)
    games = list(offline.play(suites, make, lambda told: print(told, file=sys.stderr)))
    data = offline.write(asked.buyer, suites, games, token)
    asked.out.write_bytes(data)
    print(f"{len(games)} games of {len(suites)} suites, {len(data)} bytes: {asked.out}")
    return hand_in(address, token, data) if address else 0


def hand_in(address: str, token: str, data: bytes) -> int:
    """Send a file to a site; 0 where it counts, else 1 and a sentence."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = Request(address, data, headers)  # noqa: S310  _address has looked at it
    try:
        with urlopen(request, timeout=WAIT_S) as answer:  # noqa: S310  the same
            print(f"Handed in: {msgspec.json.decode(answer.read())['page']}")
    except HTTPError as refused:
        print(f"Refused: {_detail(refused.read()) or refused}", file=sys.stderr)
        return 1
    except (URLError, OSError) as gone:
        told = f"{address} is out of reach ({gone}). The file is kept: send it later."
        print(told, file=sys.stderr)
        return 1
    return 0


def _address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in AT_HOME):
        raise offline.BadSubmission("A token goes over https alone, or to this machine.")
    return f"{parts.scheme}://{parts.netloc}{HAND_IN}"


def _detail(body: bytes) -> str:
    try:
        told: Any = msgspec.json.decode(body)
        return str(told["error"]["detail"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return ""
