"""Play suites with rule buyers, and print what they keep."""

import argparse
from collections.abc import Sequence

import msgspec

from bazaarbatna.bargain.match import play_suite_game
from bazaarbatna.bargain.people import held_out
from bazaarbatna.bargain.people.suites import suites_of_families
from bazaarbatna.bargain.scoring import ReportCard, report_card, score
from bazaarbatna.commands import Refused
from bazaarbatna.envs.bargain.resets import Reset, wanted_suite
from bazaarbatna.intervals import Interval
from bazaarbatna.players.base import RuleBuyer
from bazaarbatna.players.simple import (
    CONCEDERS,
    LINES,
    RULES,
    Scheduled,
    ThreeRules,
    rule_buyer,
)

PREFIX = "rules:"

CHOSEN_BY = 40
"""On so many games of each suite behind those that are reported the best rule is chosen."""

YARDSTICKS: tuple[type[RuleBuyer], ...] = (*RULES, ThreeRules, *map(rule_buyer, CONCEDERS))

TO_BEAT: tuple[type[RuleBuyer], ...] = (*YARDSTICKS, Scheduled, *map(rule_buyer, LINES))
"""Of these the best stands beside whatever is played."""


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


def find_rule(name: str) -> type[RuleBuyer]:
    """Return the rule buyer of a name, with ``rules:`` before it or not; Refused."""
    try:
        return rule_buyer(PREFIX + name.strip().removeprefix(PREFIX))
    except LookupError as wrong:
        raise Refused(wrong.args[0]) from None


def roll_out(suite: str, buyer: type[RuleBuyer], seeds: Sequence[int]) -> Row:
    """Play the games of these seeds and sum all their bargains up."""
    logs = (log for seed in seeds for log in play_suite_game(suite, seed, buyer))
    return Row(suite, buyer.name, buyer.version(), report_card([score(log) for log in logs]))


def best_rule(suites: Sequence[str], seeds: Sequence[int]) -> type[RuleBuyer]:
    """Return the rule that keeps most in the mean of some suites: what a policy must beat."""

    def kept(rule: type[RuleBuyer]) -> float:
        return sum(_mean(roll_out(suite, rule, seeds)) for suite in suites)

    return max(TO_BEAT, key=kept)


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
    buyers = [find_rule(name) for name in asked.buyer.split(",")]
    suites = find_suites(asked.suite)
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
        f"intervals. Of {len(TO_BEAT)} rules {best.name} is the best on the {CHOSEN_BY} games "
        "that follow: what a policy must beat. A share of 1 is the whole zone."
    )
    return 0
