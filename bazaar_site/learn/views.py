"""The page to learn from, the handbook, and the search of the whole site."""

from collections.abc import Sequence

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from bazaar_site.learn.given_away import Row, fixed_multiples, recorded
from bazaar_site.learn.handbook import find, leaves
from negotiation.bargain.web.listing_search import offered
from negotiation.bargain.web.listings import search as search_listings
from negotiation.games.visitors import visitor
from negotiation.policies import title_of
from replays.browse.shelf import Filters, browse
from replays.browse.views import rows_of
from replays.transfer.signing import public_keys
from training.exploits.bounds import CONTROLS, GIVEN_AWAY, SHIPPED
from training.receipts.figures import PERCENT, Figure, figure
from training.receipts.tables import GivenAwayTable, MannersTable, ScriptedTable

NETWORK = "sauda-network"
BUYERS = {
    "own": "rules:three",
    "network": NETWORK,
    "middle": "rules:halver",
    "formula": "rules:conceder-30",
}
SELLERS = {
    "own": "steps of 8%",
    "steps": "step for step",
    "straight": "linear",
    "wall": "never moves",
}


class ThreeRules(msgspec.Struct, frozen=True):
    """Shares of what was to be had, by who plays: ``BUYERS`` and ``SELLERS``."""

    buying: dict[str, Figure | None]
    selling: dict[str, Figure | None]


def three_rules() -> ThreeRules | None:
    """Read the receipts; None where one of them is missing or tells of other players."""
    kept, taken = MannersTable.shipped(), ScriptedTable.shipped()
    if kept is None or taken is None:
        return None
    buyers = {row.policy: row.share for row in kept.rows}
    row = next((row for row in taken.rows if row.policy == NETWORK), None)
    if row is None or not set(BUYERS.values()) <= set(buyers):
        return None
    sellers = {one.seller: one.share for one in row.sellers}
    receipts = [reverse("table", args=[table.name]) for table in (kept, taken)]
    return ThreeRules(
        {seat: figure(buyers[name], PERCENT, receipts[0]) for seat, name in BUYERS.items()},
        {seat: figure(sellers.get(name), PERCENT, receipts[1]) for seat, name in SELLERS.items()},
    )


MOST_LETTERS = 100
SHOWN = 6


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """Show what can be learned here, by playing and by reading."""
    return render(request, "learn/learn.html", {"three": three_rules()})


@require_safe
def handbook(request: HttpRequest, name: str = "") -> HttpResponse:
    """Show a page of the handbook, or what pages there are."""
    pages = leaves()
    if not name:
        return render(request, "learn/handbook.html", {"leaves": pages.values()})
    if name not in pages:
        raise Http404
    return render(request, "learn/leaf.html", {"leaf": pages[name]})


@require_safe
def sealed(request: HttpRequest) -> HttpResponse:
    """Show what is sealed, how that is checked, and what an opponent can tell all the same."""
    rows = recorded()
    context = {
        "keys": public_keys(),
        "sale": sorted(map(_bar, _at(rows, "sale")), key=lambda bar: bar.row.after or 0),
        "arena": sum(row.verdict == "given away" for row in _at(rows, "arena")),
        "arena_all": len(_at(rows, "arena")),
        "suites": len({row.who.partition("@")[0] for row in _at(rows, "suite")}),
        "fixed": len({row.who.partition("@")[0] for row in fixed_multiples(rows)}),
        "limits": [_bar(row) for row in rows if row.place in ("purchase", "pair", "room")],
        "games": rows[0].games,
        "paths": _paths(),
    }
    return render(request, "learn/sealed.html", context)


class Bar(msgspec.Struct, frozen=True):
    """A row of the measurement as it is drawn; lengths in hundredths of the widest."""

    row: Row
    title: str
    before: str
    after: str


WIDEST = 0.25
"""The error that fills a bar."""


def _at(rows: Sequence[Row], place: str) -> list[Row]:
    return [row for row in rows if row.place == place]


def _bar(row: Row) -> Bar:
    before, after = row.before, row.before if row.after is None else row.after
    lengths = (f"{100 * min(1.0, error / WIDEST):.1f}" for error in (before, after))
    return Bar(row, title_of(row.who), *lengths)


class Reading(msgspec.Struct, frozen=True):
    """How well a budget is read after so many bids; ``most``: what is allowed. Shares 0..1."""

    after: int
    r2: float
    most: float

    @property
    def length(self) -> str:
        """As it is drawn, in hundredths."""
        return f"{100 * self.r2:.1f}"

    @property
    def is_beyond(self) -> bool:
        """Whether more is read than is allowed."""
        return self.r2 > self.most


class Paths(msgspec.Struct, frozen=True):
    """What the bids tell of her whom people meet; ``telling`` and ``ignoring`` are the controls."""

    games: int
    readings: tuple[Reading, ...]
    telling: float
    ignoring: float


def _paths() -> Paths | None:
    table = GivenAwayTable.shipped()
    rows = {row.policy: row for row in table.rows} if table else {}
    if table is None or not {SHIPPED, *(one.name for one in CONTROLS)} <= rows.keys():
        return None
    telling, ignoring = (rows[one.name].read[0].r2.mean for one in CONTROLS)
    readings = (
        Reading(one.after, one.r2.mean, GIVEN_AWAY[one.after]) for one in rows[SHIPPED].read
    )
    return Paths(table.games, tuple(readings), telling, ignoring)


@require_safe
def keys(request: HttpRequest) -> JsonResponse:
    """List the public keys of this house, as a set of JSON web keys (RFC 7517, RFC 8037)."""
    kept = [
        {
            "kty": "OKP",
            "crv": "Ed25519",
            "alg": "EdDSA",
            "use": "sig",
            "kid": key.id,
            "x": key.public_key,
            "in_use": key.in_use,
        }
        for key in public_keys()
    ]
    return JsonResponse({"keys": kept}, headers={"Access-Control-Allow-Origin": "*"})


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Look for words among the goods, the replays and the handbook."""
    words = " ".join(request.GET.get("q", "").split())[:MOST_LETTERS]
    context: dict[str, object] = {"q": words}
    if words:
        goods = search_listings(words, page_size=SHOWN)
        shelf = browse(visitor(request), Filters(title=words))
        context |= {
            "goods": [offered(listing) for listing in goods.listings],
            "goods_total": goods.total,
            "replays": rows_of(shelf.games[:SHOWN]),
            "replays_total": shelf.count_text,
            "more_replays": len(shelf.games) > SHOWN,
            "hits": find(words.lower().split()),
        }
    return render(request, "learn/search.html", context)
