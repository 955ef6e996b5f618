"""The rooms of the code as floors of a house: whoever lives above may ring below, never back."""

from django.utils.safestring import SafeString

from negotiation.charts.svg import element

FLOORS: tuple[tuple[str, str], ...] = (
    ("bazaar_site", "pages, addresses, this front page"),
    ("training", "runs, evaluation, the board"),
    ("replays", "scrub, grade, ask what if"),
    ("arena", "four buyers, sealed envelopes"),
    ("agents", "policies, models, gates, tells"),
    ("negotiation", "games, one log, live sockets"),
    ("engine", "the rules: same seed, same log"),
)
"""Name of a room, from the top floor down, and who lives there."""

WIDTH, FLOOR, ROOF = 340, 58, 46
LEFT, RIGHT = 26, 318
TITLE = "The rooms of the code"


def house() -> SafeString:
    """Draw the house; one drawing for phone and desk."""
    height = ROOF + FLOOR * len(FLOORS) + 14
    words = "Imports go down only. From the top: " + "; ".join(f"{n}: {w}" for n, w in FLOORS)
    parts = [
        *_awning(),
        *(part for place, floor in enumerate(FLOORS) for part in _floor(place, *floor)),
        element("path", {"class": "house-way", "d": f"M11 {ROOF + 20}V{height - 30}"}),
        element("path", {"class": "arrow", "d": f"M5 {height - 32}l6 12l6 -12Z"}),
        element("path", {"class": "house-ground", "d": f"M0 {height - 13}H{WIDTH}"}),
    ]
    svg = element(
        "svg",
        {
            "class": "house",
            "viewBox": f"0 0 {WIDTH} {height}",
            "role": "img",
            "aria-labelledby": "house-drawn-title",
            "aria-describedby": "house-drawn-words",
        },
        element("title", {"id": "house-drawn-title"}, TITLE),
        element("desc", {"id": "house-drawn-words"}, words + "."),
        *parts,
    )
    return element("div", {"class": "diagram"}, svg)


def _awning() -> list[SafeString]:
    """The striped roof of a stall, with scallops."""
    stripes = 8
    wide = (RIGHT - LEFT + 16) / stripes
    parts = []
    for number in range(stripes):
        x = LEFT - 8 + number * wide
        way = f"M{x:.1f} 6h{wide:.1f}v{ROOF - 20}a{wide / 2:.1f} 11 0 0 1 {-wide:.1f} 0Z"
        parts.append(element("path", {"class": f"awning is-{number % 2}", "d": way}))
    return parts


def _floor(place: int, name: str, words: str) -> list[SafeString]:
    y = ROOF + place * FLOOR
    is_engine = place == len(FLOORS) - 1
    box = {"x": LEFT, "y": y, "width": RIGHT - LEFT, "height": FLOOR}
    return [
        element("rect", {"class": "floor is-vault" if is_engine else "floor", **box}),
        element("text", {"class": "floor-name", "x": LEFT + 16, "y": y + 25}, name),
        element("text", {"class": "floor-words", "x": LEFT + 16, "y": y + 45}, words),
    ]
