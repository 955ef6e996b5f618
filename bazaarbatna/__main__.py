"""The library's command: play suites, check the environments, serve them, hand results in.

``python -m bazaarbatna rollout --suite paths --buyer conceder --episodes 200``
"""

import argparse
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import msgspec

from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.people import held_out
from bazaarbatna.bargain.people.suites import people_words
from bazaarbatna.bargain.suites import SUITES
from bazaarbatna.commands import Refused, reproduce, submit
from bazaarbatna.commands.rollout import PREFIX, TO_BEAT, rollout
from bazaarbatna.offline import BARGAINS, BadSubmission


def check(_: argparse.Namespace) -> int:
    """Run Gymnasium's and PettingZoo's own checkers on every environment."""
    if _is_missing("envs", "gymnasium", "pettingzoo", "highspy"):
        return 2
    # The base alone must be able to import this module.
    from bazaarbatna.envs.checks import CHECKS

    for name, run in CHECKS.items():
        run()
        print(f"ok  {name}")
    return 0


def serve(asked: argparse.Namespace) -> int:
    """Serve both worlds over OpenEnv's protocol until told to stop."""
    if _is_missing("server", "uvicorn", "websockets", "highspy"):
        return 2
    from bazaarbatna.envs.openenv.server import run

    run(asked.world, asked.host, asked.port)
    return 0


def show(_: argparse.Namespace) -> int:
    """List suites and buyers."""
    held_out.plug_in()
    print("suites:", ", ".join((*(suite.name for suite in SUITES), *people_words())))
    print("buyers:", ", ".join(rule.name.removeprefix(PREFIX) for rule in TO_BEAT))
    return 0


def _is_missing(extra: str, *names: str) -> bool:
    missing = [name for name in names if find_spec(name) is None]
    if missing:
        told = f"{', '.join(missing)} is not installed: pip install 'bazaarbatna[{extra}]'"
        print(told, file=sys.stderr)
    return bool(missing)


def cases(asked: argparse.Namespace) -> int:
    """Print how players of several issues compare, or how a case of the library ends."""
    # Only this command needs them.
    from bazaarbatna.cases.case import in_library
    from bazaarbatna.players.package_trials import (
        case_lines,
        dialogue_lines,
        receipt_of,
        trial_lines,
    )

    known = in_library()
    if asked.play and asked.play not in known:
        print(f"The cases are {', '.join(known)}.", file=sys.stderr)
        return 2
    seeds = range(asked.seed, asked.seed + asked.games)
    lines = case_lines(known[asked.play], asked.games) if asked.play else trial_lines(seeds)
    try:
        if asked.receipt:
            found = msgspec.json.encode(receipt_of(seeds))
            asked.receipt.write_bytes(msgspec.json.format(found, indent=1) + b"\n")
        else:
            for line in dialogue_lines(asked.people) if asked.people else lines:
                print(line, flush=True)
    except BrokenPipeError:
        raise  # who reads has stopped, and is told nothing
    except (OSError, ValueError, KeyError, msgspec.DecodeError) as wrong:
        print(f"{asked.receipt or asked.people}: {wrong}", file=sys.stderr)
        return 2
    return 0


def at_least(least: int, most: int = sys.maxsize) -> Callable[[str], int]:
    """Make a reader of whole numbers from ``least`` to ``most``."""

    def whole(text: str) -> int:
        number = int(text)
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is below {least}")
        if number > most:
            raise argparse.ArgumentTypeError(f"{number} is above {most}")
        return number

    return whole


def new_file(text: str) -> Path:
    """Read where a file shall be written: known before the minutes of play that it holds."""
    path = Path(text)
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"no file can be written to {text}")
    return path


def read_arguments() -> argparse.Namespace:
    """Read the command line; ``run`` is what is asked for."""
    parser = argparse.ArgumentParser(prog="bazaarbatna", description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    asked = commands.add_parser("rollout", help="play a suite and print shares with intervals")
    asked.add_argument("--suite", default="paths", help="a suite's name or id; see `list`")
    asked.add_argument("--buyer", default="conceder", help="a rule buyer, or several with commas")
    asked.add_argument("--episodes", type=at_least(1), default=200, help="games of each suite")
    asked.add_argument("--seed", type=at_least(0), default=0, help="of the first game")
    asked.add_argument("--json", action="store_true", help="all figures, for programs")
    asked.set_defaults(run=rollout)
    asked = commands.add_parser("reproduce", help="set published figures beside ours")
    asked.add_argument("study", nargs="*", help=f"{', '.join(reproduce.STUDIES)}; all of them")
    asked.add_argument("--episodes", type=at_least(2), default=1000, help="games of each figure")
    asked.add_argument("--data", type=Path, help="folder of AmazonHistoryPrice (18 JSON files)")
    asked.add_argument("--out", type=new_file, help="write the receipt as JSON, too")
    asked.set_defaults(run=reproduce.reproduce)
    asked = commands.add_parser("submit", help="play for the leaderboard, sign, hand in")
    asked.add_argument("--buyer", required=True, help="a rule buyer, or module:name of a factory")
    asked.add_argument("--token", type=Path, required=True, help="file with the bot's token")
    asked.add_argument("--out", type=new_file, default=Path("bazaar-results.jsonl"))
    asked.add_argument("--bargains", type=at_least(1), default=BARGAINS, help="of each suite")
    asked.add_argument("--url", help="the site, such as https://bazaar.example; else only a file")
    asked.set_defaults(run=submit.submit)
    asked = commands.add_parser("serve", help="serve both worlds over OpenEnv's protocol")
    asked.add_argument("--host", default="127.0.0.1")
    asked.add_argument("--port", type=at_least(0, 65_535), default=8000)
    told = "which world the bare host is"
    asked.add_argument("--world", default="bazaar", choices=("bazaar", "market"), help=told)
    asked.set_defaults(run=serve)
    commands.add_parser("list", help="name suites and buyers").set_defaults(run=show)
    commands.add_parser("check", help="run the checkers on all").set_defaults(run=check)
    asked = commands.add_parser("cases", help="compare players of several issues on drawn cases")
    asked.add_argument("--games", type=at_least(1), default=400, help="how many")
    asked.add_argument("--seed", type=at_least(0), default=700_000, help="of the first game")
    asked.add_argument("--play", default="", metavar="ID", help="play one of the library instead")
    asked.add_argument("--people", type=Path, metavar="FILE", help="in the places of these people")
    asked.add_argument("--receipt", type=Path, metavar="FILE", help="write the table as JSON")
    asked.set_defaults(run=cases)
    return parser.parse_args()


def main() -> int:
    """Do what the command line says; return the exit status, 2 where it makes no sense."""
    asked = read_arguments()
    try:
        status = int(asked.run(asked))
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has heard enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (Refused, UnknownSuite, BadSubmission) as wrong:
        print(wrong, file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    raise SystemExit(main())
