"""The library's command: play suites with rule buyers, and check the environments.

``python -m bazaarbatna rollout --suite paths --buyer conceder --episodes 200``
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec

import msgspec

from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.match import play_suite_game
from bazaarbatna.bargain.people import held_out
from bazaarbatna.bargain.people.suites import people_words, suites_of_families
from bazaarbatna.bargain.scoring import ReportCard, report_card, score
from bazaarbatna.bargain.suites import SUITES
from bazaarbatna.envs.bargain.resets import Reset, wanted_suite
from bazaarbatna.intervals import Interval
from bazaarbatna.players.base import RuleBuyer
from bazaarbatna.players.simple import CONCEDERS, RULES, ThreeRules, rule_buyer

PREFIX = "rules:"

CHOSEN_BY = 40
"""On so many games of each suite behind those that are reported the best rule is chosen."""

YARDSTICKS: tuple[type[RuleBuyer], ...] = (*RULES, ThreeRules, *map(rule_buyer, CONCEDERS))


class Row(msgspec.Struct, frozen=True):
    """One buyer in one suite; the card's shares are 0..1 of the zone."""

    suite: str
    buyer: str
    version: str
    card: ReportCard


def find_suites(name: str) -> tuple[str, ...]:
    """Return the ids that a suite's name stands for: ``paths`` are five assumptions about people.

    Raises ``UnknownSuite``.
    """
    return suites_of_families(name) or (wanted_suite(Reset(task=name)),)


def roll_out(suite: str, buyer: type[RuleBuyer], seeds: Sequence[int]) -> Row:
    """Play the games of these seeds and sum all their bargains up."""
    logs = (log for seed in seeds for log in play_suite_game(suite, seed, buyer))
    return Row(suite, buyer.name, buyer.version(), report_card([score(log) for log in logs]))


def best_rule(suites: Sequence[str], seeds: Sequence[int]) -> type[RuleBuyer]:
    """Return the rule that keeps most in the mean of some suites: what a policy must beat."""

    def kept(rule: type[RuleBuyer]) -> float:
        return sum(_mean(roll_out(suite, rule, seeds)) for suite in suites)

    return max(YARDSTICKS, key=kept)


def _mean(row: Row) -> float:
    share = row.card.share_of_winnable
    return 0.0 if share is None else share.mean


def mean_of(rows: Sequence[Row]) -> str:
    """Write the mean share over several suites and the worst one of them; "" for one suite."""
    shares = {row.suite: row.card.share_of_winnable for row in rows}
    known = {suite: found.mean for suite, found in shares.items() if found is not None}
    if len(known) < 2:
        return ""
    worst = min(known, key=lambda suite: known[suite])
    mean = sum(known.values()) / len(known)
    return f"{rows[0].buyer}: mean {mean:.3f}, worst {known[worst]:.3f} ({worst})"


def _share(found: Interval | None) -> str:
    return "-" if found is None else f"{found.mean:.3f} ({found.low:.3f} to {found.high:.3f})"


def _part(found: float | None) -> str:
    return "-" if found is None else f"{found:.3f}"


def print_table(rows: Sequence[Row]) -> None:
    """Print a line for each buyer and suite: shares 0..1 of the zone with 95 % intervals."""
    print(f"{'suite':<30} {'buyer':<18} {'share of the zone':<25} {'deals':>6} {'rounds':>7}")
    for row in rows:
        card = row.card
        figures = f"{_share(card.share_of_winnable):<25} {_part(card.deal_rate):>6}"
        print(f"{row.suite:<30} {row.buyer:<18} {figures} {card.rounds:>7.2f}")


def rollout(asked: argparse.Namespace) -> int:
    """Play, and print the table or its JSON."""
    held_out.plug_in()
    try:
        names = (PREFIX + name.strip().removeprefix(PREFIX) for name in asked.buyer.split(","))
        buyers = list(map(rule_buyer, names))
        suites = find_suites(asked.suite)
    except (LookupError, UnknownSuite) as error:
        print(error.args[0], file=sys.stderr)
        return 2
    seeds = range(asked.seed, asked.seed + asked.episodes)
    best = best_rule(suites, range(seeds.stop, seeds.stop + CHOSEN_BY))
    players = dict.fromkeys((*buyers, best))
    rows = [[roll_out(suite, one, seeds) for suite in suites] for one in players]
    flat = [row for of_buyer in rows for row in of_buyer]
    if asked.json:
        print(msgspec.json.format(msgspec.json.encode(flat)).decode())
        return 0
    print_table(flat)
    print(*filter(None, map(mean_of, rows)), sep="\n")
    print(
        f"Games {seeds[0]} to {seeds[-1]} of each suite; no deal counts 0; 95 % bootstrap "
        f"intervals. Of {len(YARDSTICKS)} rules {best.name} is the best on the {CHOSEN_BY} games "
        "that follow: what a policy must beat. A share of 1 is the whole zone."
    )
    return 0


def check(_: argparse.Namespace) -> int:
    """Run Gymnasium's and PettingZoo's own checkers on every environment."""
    missing = [name for name in ("gymnasium", "pettingzoo", "highspy") if find_spec(name) is None]
    if missing:
        print(
            f"{', '.join(missing)} is not installed: pip install 'bazaarbatna[envs]'",
            file=sys.stderr,
        )
        return 2
    # The base alone must be able to import this module.
    from bazaarbatna.envs.checks import CHECKS

    for name, run in CHECKS.items():
        run()
        print(f"ok  {name}")
    return 0


def show(_: argparse.Namespace) -> int:
    """List suites and buyers."""
    held_out.plug_in()
    print("suites:", ", ".join((*(suite.name for suite in SUITES), *people_words())))
    print("buyers:", ", ".join(rule.name.removeprefix(PREFIX) for rule in YARDSTICKS))
    return 0


def cases(asked: argparse.Namespace) -> int:
    """Print how players of several issues compare, or how a case of the library ends."""
    # Only this command needs them.
    from bazaarbatna.cases.case import in_library
    from bazaarbatna.players.package_trials import case_lines, trial_lines

    known = in_library()
    if asked.play and asked.play not in known:
        print(f"The cases are {', '.join(known)}.", file=sys.stderr)
        return 2
    seeds = range(asked.seed, asked.seed + asked.games)
    for line in case_lines(known[asked.play], asked.games) if asked.play else trial_lines(seeds):
        print(line, flush=True)
    return 0


def at_least(least: int) -> Callable[[str], int]:
    """Make a reader of whole numbers from ``least`` on."""

    def whole(text: str) -> int:
        number = int(text)
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is below {least}")
        return number

    return whole


def main() -> int:
    """Read the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="bazaarbatna", description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    asked = commands.add_parser("rollout", help="play a suite and print shares with intervals")
    asked.add_argument("--suite", default="paths", help="a suite's name or id; see `list`")
    asked.add_argument("--buyer", default="conceder", help="a rule buyer, or several with commas")
    asked.add_argument("--episodes", type=at_least(1), default=200, help="games of each suite")
    asked.add_argument("--seed", type=at_least(0), default=0, help="of the first game")
    asked.add_argument("--json", action="store_true", help="all figures, for programs")
    asked.set_defaults(run=rollout)
    commands.add_parser("list", help="name suites and buyers").set_defaults(run=show)
    commands.add_parser("check", help="run the checkers on all environments").set_defaults(
        run=check
    )
    asked = commands.add_parser("cases", help="compare players of several issues on drawn cases")
    asked.add_argument("--games", type=at_least(1), default=400, help="how many")
    asked.add_argument("--seed", type=at_least(0), default=700_000, help="of the first game")
    asked.add_argument(
        "--play", default="", metavar="ID", help="play a case of the library instead"
    )
    asked.set_defaults(run=cases)
    found = parser.parse_args()
    return int(found.run(found))


if __name__ == "__main__":
    raise SystemExit(main())
