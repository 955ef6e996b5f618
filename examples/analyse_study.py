"""Makes the main table and two figures of a study from its export. numpy, and nothing else.

    python manage.py export_study ABCDEF --out study
    python examples/analyse_study.py study --out results

``results/table.md`` and ``table.csv``: for each arm how many games there were, how many ended in a
deal, and how much of the zone the seller got (0 without a deal), each with a 95 % interval; then
each arm against the first one. ``shares.svg`` shows the shares by arm, ``first_bids.svg`` the first
bid against the price of the deal.

Games in which the same person sat are not independent of each other. People who met, directly or
through others, are one cluster. Where there are many small clusters, intervals are those of a
bootstrap that draws whole clusters, and the test of a difference is a permutation test that gives
whole clusters to other arms (two-sided, 10,000 times). Where people met several partners, one
cluster soon holds nearly all games, and clusters say nothing. Then two games count as dependent
where they share a person: variances are those of two-way clustering by the people in a game
(``people_level``), and tests are t tests. The text under the table says which of the two it was.
Trial runs are left out. What is planned before the data are seen belongs into the call: with
``--measure deal`` the test is of deals instead of shares.
"""

import argparse
import csv
import html
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

DRAWS = 10_000
SEED = 1
FEWEST, LARGEST = 10, 0.2
"""Clusters are drawn where an arm has so many at least, and none holds more of its games."""
COLOURS = ("#8a2b1d", "#2f3d8f", "#2b6b45", "#8a5a12", "#6b2a60", "#3f6b6b")

Game = dict[str, Any]


def main() -> None:
    """Read, count, draw, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("study", type=Path, help="folder of an export")
    parser.add_argument("--out", type=Path, default=Path("results"))
    parser.add_argument("--measure", choices=("share", "deal"), default="share")
    asked = parser.parse_args()
    games = read_games(asked.study)
    if not games:
        raise SystemExit("There are no games in it but those of a trial run.")
    arms = arms_of(asked.study, games)
    asked.out.mkdir(parents=True, exist_ok=True)
    by_arm = {arm: [game for game in games if game["arm"] == arm] for arm in arms}
    tied = tied_arms(by_arm)
    rows = [arm_row(arm, mine, by_people=bool(tied)) for arm, mine in by_arm.items()]
    compare = difference_by_people if tied else difference
    tests = [compare(games, arms[0], other, asked.measure) for other in arms[1:]]
    text = "\n".join([table(rows), tests_text(tests, asked.measure), method_text(by_arm, tied)])
    (asked.out / "table.md").write_text(text, encoding="utf-8")
    write_csv(asked.out / "table.csv", rows)
    (asked.out / "shares.svg").write_text(shares_svg(rows, games), encoding="utf-8")
    (asked.out / "first_bids.svg").write_text(bids_svg(arms, games), encoding="utf-8")
    print(text)


def read_games(folder: Path) -> list[Game]:
    """Read the games that count: none of a trial run, none without a zone."""
    with (folder / "games.jsonl").open(encoding="utf-8") as file:
        games = [json.loads(line) for line in file]
    for game in games:
        game["arm"] = game["arm"] or "all"
        game["deal"] = float(game["outcome"] == "deal")
        game["share"] = game["seller_share"]
    games = [game for game in games if not game["is_pilot"] and game["zone"] > 0]
    set_clusters(games)
    return games


def people_in(game: Game) -> list[int]:
    """List the people in a game: one or two."""
    people = (game["seller_participant"], game["buyer_participant"])
    return sorted(one for one in people if one is not None)


def set_clusters(games: list[Game]) -> None:
    """Give people who met, directly or through others, the same cluster (union-find)."""
    leads: dict[int, int] = {}

    def lead_of(one: int) -> int:
        while leads.setdefault(one, one) != one:
            leads[one] = leads[leads[one]]
            one = leads[one]
        return one

    for game in games:
        first, last = people_in(game)[0], people_in(game)[-1]
        leads[lead_of(last)] = lead_of(first)
    for game in games:
        game["cluster"] = lead_of(people_in(game)[0])


def tied_arms(by_arm: dict[str, list[Game]]) -> list[str]:
    """List the arms whose people are tied together too much to draw clusters."""
    return [
        arm
        for arm, games in by_arm.items()
        if len(groups := clusters(games)) < FEWEST
        or max(len(group) for group in groups) > LARGEST * len(games)
    ]


def arms_of(folder: Path, games: list[Game]) -> list[str]:
    """List the arms in the order of the design."""
    design = json.loads((folder / "study.json").read_text(encoding="utf-8"))["design"]
    planned = [arm["name"] for arm in design.get("arms", [])]
    found = {game["arm"] for game in games}
    return [arm for arm in planned if arm in found] + sorted(found - set(planned))


def arm_row(arm: str, games: list[Game], *, by_people: bool) -> dict[str, Any]:
    """Count one arm."""
    groups = clusters(games)

    def around(name: str) -> tuple[float, float, float]:
        return interval_by_people(games, name) if by_people else interval(groups, name)

    return {
        "arm": arm,
        "games": len(games),
        "people": len({one for game in games for one in people_in(game)}),
        "clusters": len(groups),
        "deals": around("deal"),
        "share": around("share"),
    }


def clusters(games: list[Game]) -> list[list[Game]]:
    """Put games together that belong together."""
    found: dict[str, list[Game]] = {}
    for game in games:
        found.setdefault(game["cluster"], []).append(game)
    return list(found.values())


def interval(groups: list[list[Game]], name: str) -> tuple[float, float, float]:
    """Return a mean over games, and the 95 % interval of a bootstrap that draws whole clusters."""
    sums, counts = sums_of(groups, name)
    dice = np.random.default_rng(SEED)
    drawn = dice.integers(0, len(groups), (DRAWS, len(groups)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(sums.sum() / counts.sum()), float(low), float(high)


def sums_of(groups: list[list[Game]], name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the sum of a value and the number of games of each cluster: (clusters,) both."""
    sums = np.array([sum(game[name] for game in group) for group in groups], dtype=float)
    return sums, np.array([len(group) for group in groups], dtype=float)


def people_level(games: list[Game], name: str) -> tuple[float, float, int]:
    """Return a mean over games, its variance where games that share a person are dependent, and df.

    Two-way clustering by the two people of a game: the squares of each person's sum, less those of
    each pair's, which were counted twice; times P / (P - 1) for P people, of which P - 1 are free.

    Source: Cameron, Gelbach and Miller 2011; Aronow, Samii and Assenova 2015 (pairs of people).
    """
    values = np.array([game[name] for game in games], dtype=float)
    rest = values - values.mean()
    people: dict[int, float] = {}
    pairs: dict[tuple[int, ...], float] = {}
    for game, left in zip(games, rest, strict=True):
        who = people_in(game)
        for one in who:
            people[one] = people.get(one, 0.0) + left
        pairs[tuple(who)] = pairs.get(tuple(who), 0.0) + left
    both = sum(total**2 for who, total in pairs.items() if len(who) == 2)
    each = sum(total**2 for total in people.values())
    # Below what the games of each pair alone say it is an accident of the subtraction.
    total = max(each - both, sum(total**2 for total in pairs.values()))
    units = min(len(people), len(games))
    correction = units / (units - 1) if units > 1 else 1.0
    return float(values.mean()), correction * total / len(games) ** 2, max(units - 1, 1)


def interval_by_people(games: list[Game], name: str) -> tuple[float, float, float]:
    """Return a mean over games and its 95 % interval by ``people_level``; both lie in 0..1."""
    mean, variance, freedom = people_level(games, name)
    reach = t_quantile(freedom) * math.sqrt(variance)
    return mean, max(mean - reach, 0.0), min(mean + reach, 1.0)


def difference_by_people(games: list[Game], first: str, other: str, name: str) -> dict[str, Any]:
    """Compare two arms by ``people_level``: the difference, its interval, and Welch's p."""
    one, two = ([game for game in games if game["arm"] == arm] for arm in (first, other))
    (mean_1, var_1, free_1), (mean_2, var_2, free_2) = (people_level(g, name) for g in (one, two))
    seen, variance = mean_2 - mean_1, var_1 + var_2
    below = var_1**2 / free_1 + var_2**2 / free_2
    freedom = variance**2 / below if below else float(free_1 + free_2)
    reach = t_quantile(freedom) * math.sqrt(variance)
    certain = 0.0 if seen else 1.0  # nothing varies: only the difference itself speaks
    p = t_beyond(abs(seen) / math.sqrt(variance), freedom) if variance else certain
    return {"arms": (first, other), "difference": (seen, seen - reach, seen + reach), "p": p}


def t_beyond(t: float, freedom: float) -> float:
    """Return how often Student's t lies further from 0 than ``t``, on either side.

    With t = sqrt(freedom) tan(angle) the density is cos(angle) ** (freedom - 1), up to a constant.
    """
    angles, within = t_within(freedom)
    return float(1 - np.interp(math.atan(t / math.sqrt(freedom)), angles, within))


def t_quantile(freedom: float, level: float = 0.05) -> float:
    """Return the t beyond which, on either side, Student's t lies in ``level`` of all cases."""
    angles, within = t_within(freedom)
    return math.sqrt(freedom) * math.tan(np.interp(1 - level, within, angles))


def t_within(freedom: float) -> tuple[np.ndarray, np.ndarray]:
    """Return angles from 0 to a right one, and how often Student's t lies within each."""
    angles = np.linspace(0, math.pi / 2, 20_001)
    density = np.cos(angles) ** (freedom - 1)
    steps = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
    return angles, steps / steps[-1]


def difference(games: list[Game], first: str, other: str, name: str) -> dict[str, Any]:
    """Compare two arms: the difference, its interval, and how often chance does as much."""
    one, two = (clusters([game for game in games if game["arm"] == arm]) for arm in (first, other))
    (sums_1, counts_1), (sums_2, counts_2) = sums_of(one, name), sums_of(two, name)
    seen = sums_2.sum() / counts_2.sum() - sums_1.sum() / counts_1.sum()
    dice = np.random.default_rng(SEED)
    pick_1 = dice.integers(0, len(one), (DRAWS, len(one)))
    pick_2 = dice.integers(0, len(two), (DRAWS, len(two)))
    boot = sums_2[pick_2].sum(axis=1) / counts_2[pick_2].sum(axis=1)
    boot -= sums_1[pick_1].sum(axis=1) / counts_1[pick_1].sum(axis=1)
    low, high = np.percentile(boot, [2.5, 97.5])
    sums, counts = np.concatenate([sums_1, sums_2]), np.concatenate([counts_1, counts_2])
    extreme = 0
    for _ in range(DRAWS):
        order = dice.permutation(len(sums))
        left, right = order[: len(one)], order[len(one) :]
        chance = sums[right].sum() / counts[right].sum() - sums[left].sum() / counts[left].sum()
        extreme += abs(chance) >= abs(seen) - 1e-12
    return {
        "arms": (first, other),
        "difference": (float(seen), float(low), float(high)),
        "p": (extreme + 1) / (DRAWS + 1),
    }


def table(rows: list[dict[str, Any]]) -> str:
    """Write the main table in Markdown."""
    lines = [
        "| arm | games | people | clusters | deals [95 %] | seller's share [95 %] |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['arm']} | {row['games']} | {row['people']} | {row['clusters']} | "
        f"{said(row['deals'])} | {said(row['share'])} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def said(value: tuple[float, float, float]) -> str:
    """Write a mean with its interval."""
    mean, low, high = value
    return f"{mean:.3f} [{low:.3f}, {high:.3f}]"


def tests_text(tests: list[dict[str, Any]], name: str) -> str:
    """Write what the tests say, one line each."""
    lines = [
        f"{other} less {first}, {name}: {said(test['difference'])}, p = {test['p']:.4f}"
        for test in tests
        for first, other in [test["arms"]]
    ]
    if len(tests) > 1:
        lines.append(f"{len(tests)} comparisons: hold each p against 0.05 / {len(tests)}.")
    return "\n".join(lines) + "\n"


def method_text(by_arm: dict[str, list[Game]], tied: list[str]) -> str:
    """Say what intervals and tests are made of, and why."""
    if not tied:
        return (
            f"Intervals: bootstrap of clusters, {DRAWS:,} draws. p: permutation of clusters "
            f"between the two arms, two-sided, {DRAWS:,} draws.\n"
        )
    lines = []
    for arm in tied:
        groups = clusters(by_arm[arm])
        most = max(len(group) for group in groups)
        lines.append(
            f"{arm}: {len(groups)} clusters of people who met, directly or through others; the "
            f"largest holds {most} of {len(by_arm[arm])} games. Too few to draw from."
        )
    lines.append(
        "Intervals and p: two-way clustering by the people of a game (games that share a person "
        "are dependent), Student's t."
    )
    return "\n".join(lines) + "\n"


def write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write the main table as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        names = ("deals", "share")
        writer.writerow(
            ["arm", "games", "people", "clusters"]
            + [f"{name}{end}" for name in names for end in ("", "_low", "_high")]
        )
        for row in rows:
            numbers = [f"{value:.6f}" for name in names for value in row[name]]
            counts = [row[name] for name in ("arm", "games", "people", "clusters")]
            writer.writerow([*counts, *numbers])


WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 380, 70, 330, 40


def shares_svg(rows: list[dict[str, Any]], games: list[Game]) -> str:
    """Draw the share of each arm: its mean with the interval, and every game as a faint dot."""
    step = (WIDTH - LEFT - 20) / len(rows)
    dice = np.random.default_rng(SEED)
    parts = [axis_y("seller's share of the zone")]
    for place, row in enumerate(rows):
        x, colour = LEFT + step * (place + 0.5), COLOURS[place % len(COLOURS)]
        for game in (game for game in games if game["arm"] == row["arm"]):
            at = x + float(dice.uniform(-0.28, 0.28)) * step
            parts.append(dot(at, y_of(game["share"]), 3, colour, 0.28))
        mean, low, high = row["share"]
        parts.append(
            f'<path d="M{x:.1f} {y_of(low):.1f}V{y_of(high):.1f}" stroke="{colour}" '
            f'stroke-width="3"/>'
        )
        parts.append(dot(x, y_of(mean), 7, colour, 1))
        parts.append(words(x + 14, y_of(mean) + 5, f"{mean:.2f}", "start"))
        parts.append(words(x, BOTTOM + 24, f"{row['arm']} (n = {row['games']})", "middle"))
    told = "; ".join(f"{row['arm']}: {said(row['share'])}" for row in rows)
    return picture("The seller's share of the zone, by arm", told, parts)


def bids_svg(arms: list[str], games: list[Game]) -> str:
    """Draw the first bid against the price of the deal, both as parts of the opening ask."""
    parts = [axis_y("price of the deal, part of the opening ask")]
    inside = WIDTH - LEFT - 20
    quarters = (0, 0.25, 0.5, 0.75, 1)
    parts += [words(LEFT + inside * part, BOTTOM + 20, f"{part:g}", "middle") for part in quarters]
    parts.append(
        words(LEFT + inside / 2, BOTTOM + 42, "first bid, part of the opening ask", "middle")
    )
    told = []
    for place, arm in enumerate(arms):
        colour = COLOURS[place % len(COLOURS)]
        pairs = np.array(
            [
                (game["first_bid"] / game["opening_ask"], game["price"] / game["opening_ask"])
                for game in games
                if game["arm"] == arm and game["price"] and game["first_bid"]
            ]
        ).reshape(-1, 2)
        parts += [dot(LEFT + inside * x, y_of(y), 4, colour, 0.6) for x, y in pairs]
        parts.append(dot(LEFT + 14, TOP + 4 + 20 * place, 5, colour, 1))
        parts.append(words(LEFT + 26, TOP + 9 + 20 * place, arm, "start"))
        if len(pairs) > 2 and pairs[:, 0].std() > 0 and pairs[:, 1].std() > 0:
            slope, start = np.polyfit(pairs[:, 0], pairs[:, 1], 1)
            low, high = pairs[:, 0].min(), pairs[:, 0].max()
            parts.append(
                f'<path d="M{LEFT + inside * low:.1f} {y_of(start + slope * low):.1f}'
                f'L{LEFT + inside * high:.1f} {y_of(start + slope * high):.1f}" '
                f'stroke="{colour}" stroke-width="2"/>'
            )
            told.append(f"{arm}: r = {np.corrcoef(pairs.T)[0, 1]:.2f}, {len(pairs)} deals")
    return picture("The first bid and the price of the deal", "; ".join(told), parts)


def y_of(part: float) -> float:
    """Return where a part from 0 to 1 lies."""
    return BOTTOM - (BOTTOM - TOP) * float(part)


def axis_y(name: str) -> str:
    """Draw lines at quarters, and what the axis is."""
    lines = "".join(
        f'<path d="M{LEFT} {y_of(part):.1f}H{WIDTH - 20}" stroke="#bbb" stroke-width="1"/>'
        + words(LEFT - 8, y_of(part) + 5, f"{part:g}", "end")
        for part in (0, 0.25, 0.5, 0.75, 1)
    )
    return lines + (
        f'<text x="18" y="{(TOP + BOTTOM) / 2:g}" text-anchor="middle" '
        f'transform="rotate(-90 18 {(TOP + BOTTOM) / 2:g})">{html.escape(name)}</text>'
    )


def dot(x: float, y: float, radius: float, colour: str, opacity: float) -> str:
    """Draw a dot."""
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}" opacity="{opacity:g}"/>'
    )


def words(x: float, y: float, text: str, anchor: str) -> str:
    """Write a few words."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'


def picture(title: str, told: str, parts: list[str]) -> str:
    """Put parts into a picture with its words."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'fill="none" font-family="Georgia, serif" font-size="14">'
        f"<title>{html.escape(title)}</title><desc>{html.escape(told)}</desc>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fdfbf6"/>'
        f'<g fill="#2a211b">{words(LEFT, 24, title, "start")}{"".join(parts)}</g></svg>\n'
    )


if __name__ == "__main__":
    main()
