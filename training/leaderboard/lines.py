"""The lines of the board's tables as a page shows them."""

from collections.abc import Mapping, Sequence

import msgspec
from django.utils.safestring import SafeString

from training.evaluation.summary import Card, PolicyResult
from training.leaderboard.models import BoardName
from training.leaderboard.strip import scale_of, strip
from training.leaderboard.tables import Place, Player, Table


class Line(msgspec.Struct, frozen=True):
    """One player: what is known of it, its place (None: no points yet), its card in numbers."""

    player: Player
    place: Place | None = None
    strip: SafeString = SafeString()
    card: Card | None = None
    is_yours: bool = False

    @property
    def title(self) -> str:
        """What people call the player."""
        return self.player.title


def policy_lines(table: Table | None, results: Sequence[PolicyResult]) -> tuple[Line, ...]:
    """List the policies and bots; without points they stand by share.

    Args:
        table: the ratings, where they are ready.
        results: of all players that a line may be about.
    """
    cards = {one.policy: one.mean for one in results}
    if table is None:
        ordered = sorted(results, key=lambda one: -_share(one.mean))
        return tuple(Line(player=_plain(one), card=one.mean) for one in ordered)
    return lines_of(table.places, cards)


def lines_of(places: Sequence[Place], cards: Mapping[str, Card] | None = None) -> tuple[Line, ...]:
    """Draw the places of one table on one scale."""
    scale = scale_of(places)
    return tuple(
        Line(one.player, one, strip(one, scale), (cards or {}).get(one.player.key))
        for one in places
    )


def people_lines(table: Table | None, visitor: str) -> dict[str, tuple[Line, ...]]:
    """List the people of each seat, and the house's players whom they met.

    Args:
        table: the ratings of people.
        visitor: session key of whoever looks, whose own line is marked.
    """
    found: dict[str, tuple[Line, ...]] = {}
    named = {str(one.pk): one for one in BoardName.objects.exclude(name="")}
    for seat in ("seller", "buyer"):
        seated = [one for one in (table.places if table else ()) if one.player.seat == seat]
        lines = [_named(line, named, visitor) for line in lines_of(seated)]
        found[seat] = tuple(line for line in lines if line.title)
    return found


def _named(line: Line, named: Mapping[str, BoardName], visitor: str) -> Line:
    if line.player.kind != "person":
        return line
    entry = named.get(line.player.key.split()[0])
    player = msgspec.structs.replace(line.player, title=entry.name if entry else "")
    yours = bool(visitor) and entry is not None and entry.owner == visitor
    return msgspec.structs.replace(line, player=player, is_yours=yours)


def _plain(result: PolicyResult) -> Player:
    kind = "bot" if result.kind == "bot" else "policy"
    return Player(
        key=result.policy,
        kind=kind,  # type: ignore[arg-type]
        title=result.title,
        version=result.version,
        games=result.mean.winnable,
    )


def _share(card: Card) -> float:
    return card.share_of_winnable.mean if card.share_of_winnable else 0.0
