"""Starts the analysis of a study: means by arm, level of a factor and condition, differences.

Copy it and go on from here.

    python analyse.py              # in the folder of the export: writes results/ there
    python analyse.py FOLDER
    python analyse.py --trial      # a rehearsal: the rows of trial runs in place of the others

It needs Python 3.11 and nothing else. It reads person_games.csv, one row for each person in each
game, and keeps each side of the table apart: the two shares of a deal make 1, so that their mean
over both sides says nothing. Trial runs are left out. A game without a zone has no share and is in
no figure here: look at those apart. Two games in which the same person sat, on whichever side, are
not independent; errors are clustered by both people of a game (Aronow, Samii and Assenova 2015).
Conditions that the same people play are compared within them: against the house, with one game in
each, that is the paired t-test. Whether the order matters is for a model of your own.
"""

import csv
import math
import sys
from html import escape
from pathlib import Path
from statistics import NormalDist, fmean

MEASURES = ("deal", "share")
"""How often a game ends in a deal, and the own part of the zone, 0 where a deal was missed."""

TRIAL = "--trial"
DROP_FALLBACK = False
"""Whether to leave out games in which rules played turns in the place of a prompt's model."""
DROP_CLOSED = False
"""Whether to leave out games that the room ended, because somebody was away, out of time or gone.
Say which in the preregistration."""

Row = dict[str, str]
Mean = tuple[float, float, int]
"""A mean, its standard error, and the degrees of freedom."""


def main() -> None:
    """Read, count, write."""
    given = [one for one in sys.argv[1:] if one != TRIAL]
    folder = Path(given[0]) if given else Path(__file__).parent
    rows = read_rows(folder, "true" if TRIAL in sys.argv else "false")
    if not rows:
        sys.exit(f"There are no games with a zone in it; {TRIAL} takes those of a trial run.")
    out = folder / "results"
    out.mkdir(exist_ok=True)
    table = [line for side in ("seller", "buyer") for line in lines_of(side, rows)]
    with (out / "means.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEAD, *table])
    for line in [HEAD, *table]:
        print(*(f"{cell:.3f}" if isinstance(cell, float) else cell for cell in line), sep="\t")
    picture = svg([line for line in table if line[1] == "share" and " less " not in str(line[2])])
    (out / "shares.svg").write_text(picture, encoding="utf-8")


HEAD = ("side", "measure", "arm", "games", "people", "mean", "low", "high")
Line = tuple[str | float, ...]


def read_rows(folder: Path, is_pilot: str = "false") -> list[Row]:
    """Read the rows that count: with a zone, of no trial run, or of those alone."""
    with (folder / "person_games.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["is_pilot"] == is_pilot]
    rows = [row for row in rows if row["has_zone"] == "true"]
    rows = [row for row in rows if not (DROP_FALLBACK and row["fallback_turns"].strip("0"))]
    return [row for row in rows if not (DROP_CLOSED and row["closed"])]


def lines_of(side: str, rows: list[Row]) -> list[Line]:
    """Return the lines of one side: each arm, level and condition, each less the first by name."""
    mine = [row for row in rows if row["side"] == side]
    conditions = grouped(mine, "condition") if any(row["condition"] for row in mine) else {}
    apart = [(groups, difference) for groups in (grouped(mine, "arm"), *crossed(mine))]
    compared = [*apart, (conditions, within)]
    lines: list[Line] = []
    for measure in MEASURES:
        for name, games in (one for groups, _ in compared for one in groups.items()):
            people = len({row["participant"] for row in games})
            found = interval(mean_of(games, measure), 0.0, 1.0)
            lines.append((side, measure, name, len(games), people, *found))
        for groups, less in compared:
            for name in list(groups)[1:]:
                first = next(iter(groups))
                found = interval(less(groups[name], groups[first], measure))
                lines.append((side, measure, f"{name} less {first}", "", "", *found))
    return lines


def grouped(rows: list[Row], column: str) -> dict[str, list[Row]]:
    """Return the rows by what a column says, in the order of its names."""
    found: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: row[column]):
        found.setdefault(row[column] or "all", []).append(row)
    return found


def crossed(rows: list[Row]) -> list[dict[str, list[Row]]]:
    """Return the rows by the levels of each factor, over all levels of the others."""
    found: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        for level in row["levels"].split():
            found.setdefault(level.partition("=")[0], {}).setdefault(level, []).append(row)
    return [dict(sorted(groups.items())) for groups in found.values()]


def value_of(row: Row, measure: str) -> float:
    """Read one measure of one row."""
    return float(row["share"]) if measure == "share" else float(row["has_deal"] == "true")


def mean_of(rows: list[Row], measure: str) -> Mean:
    """Return a mean over games whose error counts games that share a person as dependent."""
    mean = fmean(value_of(row, measure) for row in rows)
    return mean, *error_of([(row, (value_of(row, measure) - mean) / len(rows)) for row in rows])


def within(one: list[Row], other: list[Row], measure: str) -> Mean:
    """Return the difference of two conditions that the same people played."""
    means = [fmean(value_of(row, measure) for row in rows) for rows in (one, other)]
    rests = [(row, (value_of(row, measure) - means[0]) / len(one)) for row in one]
    rests += [(row, (means[1] - value_of(row, measure)) / len(other)) for row in other]
    return means[0] - means[1], *error_of(rests)


def error_of(rests: list[tuple[Row, float]]) -> tuple[float, int]:
    """Return the error of a sum over games, and its degrees of freedom.

    The squares of each person's sum of residuals, less those of each pair's, which were counted
    twice; never less than the pairs' own; times P / (P - 1) for P people or games.
    """
    people: dict[str, float] = {}
    pairs: dict[tuple[str, ...], float] = {}
    for row, rest in rests:
        pair = tuple(sorted(filter(None, (row["participant"], row["partner"]))))
        pairs[pair] = pairs.get(pair, 0.0) + rest
        for one in pair:
            people[one] = people.get(one, 0.0) + rest
    twice = sum(rest**2 for pair, rest in pairs.items() if len(pair) == 2)
    total = sum(rest**2 for rest in people.values()) - twice
    total = max(total, sum(rest**2 for rest in pairs.values()))
    units = min(len(people), len(rests))
    if units < 2:
        return math.nan, 1
    return math.sqrt(total * units / (units - 1)), units - 1


def difference(first: list[Row], second: list[Row], measure: str) -> Mean:
    """Return the difference of two arms that have no person in common, by Welch's rule."""
    one, other = mean_of(first, measure), mean_of(second, measure)
    v1, v2 = one[1] ** 2, other[1] ** 2
    below = v1**2 / one[2] + v2**2 / other[2]
    freedom = int((v1 + v2) ** 2 / below) if below > 0 else one[2] + other[2]
    return one[0] - other[0], math.sqrt(v1 + v2), max(freedom, 1)


def interval(found: Mean, least: float = -1.0, most: float = 1.0) -> tuple[float, float, float]:
    """Return a mean and its 95 % interval by Student's t, within what is possible."""
    mean, error, freedom = found
    if math.isnan(error):
        return mean, error, error
    reach = t_quantile(freedom) * error
    return mean, max(mean - reach, least), min(mean + reach, most)


def t_quantile(freedom: int) -> float:
    """Return Student's t of 97.5 %: exact to 3, else by expansion (error below 0.01)."""
    if freedom < 4:
        return (12.7062, 4.3027, 3.1824)[freedom - 1]
    z: float = NormalDist().inv_cdf(0.975)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


def svg(lines: list[Line]) -> str:
    """Draw the mean share of each side, arm and condition with its interval, from 0 to 1."""
    marks = []
    for place, (side, _measure, arm, games, _people, *found) in enumerate(lines):
        y = 40 + 34 * place
        mean, low, high = (220 + 400 * float(one) for one in found)
        marks.append(f'<text x="10" y="{y + 5}">{escape(f"{arm}, {side} ({games})")}</text>')
        if not math.isnan(low):
            marks.append(f'<path d="M{low:.1f} {y}H{high:.1f}" stroke="#2f3d8f"/>')
        marks.append(f'<circle cx="{mean:.1f}" cy="{y}" r="5" fill="#2f3d8f"/>')
    y = 40 + 34 * len(lines)
    ticks = [
        f'<text x="{220 + 400 * part}" y="{y + 20}" text-anchor="middle">{part}</text>'
        for part in (0, 0.25, 0.5, 0.75, 1)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {y + 30}" '
        'font-family="sans-serif" font-size="14"><title>Own part of the zone by arm, '
        f'95 % intervals</title><path d="M220 {y}H620" stroke="#777"/>'
        f"{''.join(marks + ticks)}</svg>"
    )


if __name__ == "__main__":
    main()
