"""The list of replays as a page: its filters in words, its rows, one page at a time."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from bazaarbatna.bargain.quantities import Side, to_rupees
from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.bargain.suites import SUITES, VARIANTS, suite_id
from negotiation.bargain.game import SALE
from negotiation.bargain.shops import SHOPS
from negotiation.bargain.web.bubbles import CLOSED
from negotiation.charts.share_bar import share_bar
from negotiation.games.game import game_of
from negotiation.games.turn_game import TurnGame
from negotiation.games.visitors import visitor
from negotiation.models import EventRow, Game
from negotiation.policies import policies
from negotiation.portraits.characters import character
from negotiation.sentences import sentences
from negotiation.words import MAX_QUERY
from replays.browse.shelf import OUTCOMES, PAGE_SIZE, SORTS, Filters, Shelf, browse, read_in
from replays.vouching import vouched
from replays.wording import wording_of

say = sentences(__file__)

Choices = tuple[tuple[str, Any], ...]

SOURCES: Choices = (
    ("", say.lazy("all_of_this_site")),
    (Game.Source.PERSON, say.lazy("played_by_people")),
    (Game.Source.EXAMPLE, say.lazy("examples")),
    (Game.Source.ARENA, say.lazy("arena_matches")),
    (Game.Source.SIMULATION, say.lazy("policies_only")),
    (Game.Source.WHAT_IF, say.lazy("what_ifs")),
    (Game.Source.IMPORT, say.lazy("imported")),
)
_NAME = re.compile(r"[\w@:.#+-]{1,80}", re.ASCII)
_SIDES: tuple[Side, ...] = ("buyer", "seller")


class Facet(msgspec.Struct, frozen=True):
    """One field to filter by: its name in an address, its label, what can be chosen."""

    name: str
    label: str
    choices: Choices
    value: str

    @property
    def chosen(self) -> str:
        """What people read for the value; a value outside the list stands for itself."""
        return str(dict(self.choices).get(self.value, self.value))


class Chip(msgspec.Struct, frozen=True):
    """An active filter in words, and the query of the list without it."""

    words: str
    without: str


def _read_filters(asked: Mapping[str, str]) -> Filters:
    sort = asked.get("sort", "")
    return Filters(
        title=asked.get("q", "").strip()[:MAX_QUERY],
        outcome=_one_of(OUTCOMES, asked.get("outcome", "")),
        mine=asked.get("mine") == "1",
        suite=_name(asked.get("suite", "")),
        policy=_name(asked.get("policy", "")),
        persona=_name(asked.get("persona", "")),
        source=_one_of(SOURCES, asked.get("source", "")),
        sort=_one_of(SORTS, sort) or SORTS[0][0],
    )


def _facets(filters: Filters) -> tuple[Facet, ...]:
    return (
        Facet("outcome", say("ending"), OUTCOMES, filters.outcome),
        Facet("policy", say("player"), (("", say("anybody")), *_policies()), filters.policy),
        Facet("suite", say("task"), (("", say("any_task")), *_suites()), filters.suite),
        Facet(
            "persona",
            say("sellers_persona"),
            (("", say("any_persona")), *_personas()),
            filters.persona,
        ),
        Facet("source", say("source"), SOURCES, filters.source),
    )


def _chips(filters: Filters, query: QueryDict) -> tuple[Chip, ...]:
    active = [(facet.name, f"{facet.label}: {facet.chosen}") for facet in _facets(filters)
              if facet.value]  # fmt: skip
    if filters.title:
        active.insert(0, ("q", f"“{filters.title}”"))
    if filters.mine:
        active.append(("mine", say("only_my_own")))
    return tuple(Chip(words, _without(query, name)) for name, words in active)


def _without(query: QueryDict, name: str) -> str:
    kept = query.copy()
    for gone in (name, "older", "newer", *(empty for empty, value in query.items() if not value)):
        kept.pop(gone, None)
    return f"?{kept.urlencode()}" if kept else ""


def _policies() -> Choices:
    titles = {shop.policy: say("name_seller", name=shop.keeper) for shop in SHOPS}
    return tuple(
        (entry.name, titles.get(entry.name, gettext(entry.title)))
        for side in _SIDES
        for entry in policies(side)
    )


def _suites() -> Choices:
    games = (
        ("sell@1", say("a_person_sells")),
        ("buy@3", say("a_person_buys")),
        ("buy@2", say("a_person_buys_sellers_who_paid")),
        ("buy@1", say("a_person_buys_first_sellers")),
        ("marketplace_arena", say("several_buyers_one_item")),
    )
    return games + tuple(
        (suite_id(row.name, variant), f"{gettext(row.title)} ({gettext(_VARIANTS[variant])})")
        for row in SUITES
        for variant in VARIANTS
    )


_VARIANTS = say.texts("variants")

PERSONAS = say.texts("personas")


def _seller(persona: str) -> str:
    known = say.texts("sellers").get(persona)
    return gettext(known) if known else say("persona_seller", persona=persona)


def _personas() -> Choices:
    return tuple((name, gettext(PERSONAS.get(name, name.capitalize()))) for name in SELLERS)


def _one_of(choices: Choices, value: str) -> str:
    return next((name for name, _ in choices if name == value), "")


def _name(value: str) -> str:
    return value if _NAME.fullmatch(value) else ""


COUNTED = {2: say.lazy("two_buyers"), 3: say.lazy("three_buyers"), 4: say.lazy("four_buyers")}
BADGES = {
    Game.Source.WHAT_IF: say.lazy("what_if"),
    Game.Source.IMPORT: say.lazy("imported"),
    Game.Source.EXAMPLE: say.lazy("example"),
}


class Row(msgspec.Struct, frozen=True):
    """What the list shows of a game; prices in rupees. A ``badge``: not played on this site."""

    game: Game
    players: str
    currency: str
    opening_ask: float
    price: float | None
    bar: SafeString
    private: bool
    badge: str
    ending: str = ""
    """How a game without prices ended."""
    persona: str = ""
    """Who sold in a match."""
    faces: tuple[str, ...] = ()
    """Whose faces stand beside the players' names: the house's, as policies and personas."""
    tale: str = ""
    """What happens in it, in a few words."""


class _Item(msgspec.Struct):
    currency: str = "INR"


class _Seat(msgspec.Struct):
    name: str


class _Opening(msgspec.Struct):
    price: int = 0
    item: _Item = msgspec.field(default_factory=_Item)
    seats: tuple[_Seat, ...] = ()


class _Ending(msgspec.Struct):
    winner: int | None = None


def rows_of(games: Sequence[Game]) -> tuple[Row, ...]:
    """Return a page of games: one query for their openings, one for the winners of matches."""
    found = EventRow.objects.filter(game__in=[game.pk for game in games], seq=1)
    openings = {
        game: msgspec.json.decode(bytes(payload), type=_Opening)
        for game, payload in found.order_by().values_list("game_id", "payload")
    }
    winners = _winners([game for game, opening in openings.items() if opening.seats])
    closed = _closed([game.pk for game in games if game.outcome == "walk"])
    return tuple(
        _row(game, openings.get(game.pk, _Opening()), winners.get(game.pk), game.pk in closed)
        for game in games
    )


def _closed(left: Sequence[str]) -> frozenset[str]:
    """Return those of some games without a deal that nobody ended: their tables were closed."""
    walks = EventRow.objects.filter(game__in=left, kind="walk", backend__in=CLOSED) if left else ()
    return frozenset(row.game_id for row in walks)


def _winners(matches: Sequence[str]) -> dict[str, int | None]:
    if not matches:
        return {}
    found = EventRow.objects.filter(game__in=matches, kind="ended")
    return {
        game: msgspec.json.decode(bytes(payload), type=_Ending).winner
        for game, payload in found.order_by().values_list("game_id", "payload")
    }


def _row(game: Game, opening: _Opening, winner: int | None, is_closed: bool) -> Row:
    rules = game_of(game.kind)
    if isinstance(rules, TurnGame):
        players = rules.players(game)
        ending = _ending_in_turns(game, rules)
    else:
        players = _players(opening, winner) if opening.seats else wording_of(game).players
        ending = say("closed") if is_closed else ""
    price = None if game.deal_price is None else to_rupees(game.deal_price)
    bar = SafeString("")
    if price is not None and game.buyer_share is not None and game.seller_share is not None:
        bar = share_bar(game.seller_share, game.buyer_share)
    return Row(
        game=game,
        players=players,
        currency=opening.item.currency,
        opening_ask=to_rupees(opening.price),
        price=price,
        bar=bar,
        private=not game.share_replay,
        badge=vouched(game).mark or str(BADGES.get(Game.Source(game.source), "")),
        ending=ending,
        persona=_seller(game.persona),
        faces=_faces(game),
        tale="" if is_closed else _tale(game),
    )


def _tale(game: Game) -> str:
    """Say what happens in a finished sale, by its end alone."""
    rounds, share = game.rounds_used or 0, game.seller_share
    if game.kind not in SALE.kinds or not rounds:
        return ""
    if game.outcome != "deal" or share is None:
        known = {"walk": "somebody_leaves", "expired": "until_the_last_round"}
        return say.of("tales", known.get(game.outcome, "until_the_last_round"), round=rounds)
    if rounds <= QUICK:
        return say.of("tales", "a_quick_deal", round=rounds)
    if abs(share - 0.5) <= EVEN:
        return say.of("tales", "they_share")
    ahead = say.of("sides", "seller" if share > 0.5 else "buyer")
    name = "takes_nearly_all" if max(share, 1 - share) >= MOST_OF_IT else "comes_out_ahead"
    return say.of("tales", name, who=ahead, round=rounds)


QUICK, EVEN, MOST_OF_IT = 2, 0.08, 0.8
"""A deal within so many rounds is quick; shares that near to a half are even; so much is most."""


def _faces(game: Game) -> tuple[str, ...]:
    """Name the house's players of a finished game: a persona is told after the end only."""
    if game.is_pair:
        return ()
    played = {"sell": ("sauda",), "buy": (game.policy,), "sim": (game.policy, game.persona)}
    return tuple(name for name in played.get(game.kind, ()) if name and character(name).is_known)


def _ending_in_turns(game: Game, rules: TurnGame[Any, Any, Any, Any]) -> str:
    if game.outcome not in rules.seats:
        return gettext(rules.unwon.get(game.outcome, "A draw"))
    return say("who_won", who=game.outcome.capitalize())


def _players(opening: _Opening, winner: int | None) -> str:
    number = len(opening.seats)
    count = COUNTED.get(number, say("count_buyers", count=number))
    if winner is None or winner >= len(opening.seats):
        return say("buyers_nobody_bought", buyers=count)
    return say("buyers_won_by_name", buyers=count, name=gettext(opening.seats[winner].name))


def _people_first(owner: str, *, older: str, newer: str) -> tuple[Shelf | None, Sequence[Game]]:
    """Return people's games, else the examples, and after the last of them those of the house."""
    people = browse(owner, Filters(source=Game.Source.PERSON), older=older, newer=newer)
    if people.older:
        return people, ()
    examples = browse(owner, Filters(source=Game.Source.EXAMPLE), older=older, newer=newer)
    readable = tuple(read_in((get_language() or "en")[:2], examples.games))
    examples = msgspec.structs.replace(examples, games=readable, total=len(readable))
    both = (Game.Source.ARENA, Game.Source.SIMULATION)
    programs = [game for source in both for game in browse(owner, Filters(source=source)).games]
    programs.sort(key=lambda game: (game.ended_at, game.pk), reverse=True)
    if not people.games:
        return (examples, programs[:PAGE_SIZE]) if examples.games else (None, ())
    return people, [*examples.games, *programs][:PAGE_SIZE]


@require_safe
def replay_list(request: HttpRequest) -> HttpResponse:
    """Show the replays a visitor may open, a page at a time."""
    filters, owner = _read_filters(request.GET.dict()), visitor(request)
    places = {name: request.GET.get(name, "") for name in ("older", "newer")}
    is_asked = bool(request.GET.keys() - places.keys())
    shelf, programs = _people_first(owner, **places) if not is_asked else (None, ())
    shelf = shelf or browse(owner, filters, **places)
    context = {
        "programs": rows_of(programs),
        "filters": filters,
        "facets": _facets(filters),
        "sorts": SORTS,
        "order": dict(SORTS)[filters.sort],
        "chips": _chips(filters, request.GET),
        "shelf": shelf,
        "rows": rows_of(shelf.games),
    }
    htmx = getattr(request, "htmx", None)
    # Going back asks for the whole page, its form included.
    part = "#results" if htmx and not htmx.history_restore_request else ""
    response = render(request, f"replays/list.html{part}", context)
    patch_vary_headers(response, ["HX-Request"])
    return response
