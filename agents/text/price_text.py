"""Text to price: the one place where a seller's words become a number.

The words are cut into pieces, every number gets a role (price, refused, count, ...), and what is
left decides: one price is read, none is none, and two are asked back. Nothing is guessed.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from agents.text.reading.amounts import FEW, Amount
from agents.text.reading.answer import SCALES, PriceReading, Standing, ask_without_bid
from agents.text.reading.changes import (
    changed_price,
    changes,
    is_percent,
    is_plain,
    moved,
    standing_words,
)
from agents.text.reading.phrases import CLASSES
from agents.text.reading.pieces import Said, Text, to_text
from agents.text.reading.reckoning import reckoned, without_scale
from agents.text.reading.roles import STEPS, YEARS, Role, asks, roles
from agents.text.reading.spelling import word_set
from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, Paise, clamp_price

PRICE_ROLES: frozenset[Role] = frozenset(
    {"floor", "final", "named", "hint", "bare", "either", "vague"}
)
MEANT_ROLES: frozenset[Role] = frozenset({"floor", "final"})
"""Whoever calls a number the last one means a price, and leaves its scale out at most."""
_MINUS = re.compile(r"(?:^|\s|[a-z])-\Z")
_RANGE = ("-", "–", "/")
_COMMA = re.compile(r"(?:^|\s),\Z")
ALONE = 2
"""In a line of so many words a tiny number is still meant as a price."""


class _Named(msgspec.Struct, frozen=True):
    paise: int
    role: Role
    said: Said
    sure: bool
    guessed: bool = False


def _named_prices(text: Text, said: list[tuple[Said, Role]], standing: Standing) -> list[_Named]:
    scaled = [item.amount.paise for item, _ in said if item.amount.scaled]
    found = [
        _to_named(item, role, standing)
        for item, role in _without_start(said, standing)
        if role in PRICE_ROLES
    ]
    found = [name for name in found if not _is_only_a_year(name, standing)]
    joined = _joined(found, standing)
    told = [_with_scale(name, joined, scaled, standing) for name in joined]
    kept = _without_small(told, standing)
    if not kept:
        kept = [name for name in found if name.role in STRONG or len(text.pieces) <= ALONE]
    return list({name.paise: name for name in kept}.values())


def _is_only_a_year(name: _Named, standing: Standing) -> bool:
    """Whether a bare number that no price can be looks like a year: "yamaha. 2019"."""
    plain = not name.said.marked and len(name.said.amount.digits) == 4
    looks = plain and name.paise // 100 in YEARS and name.role == "bare"
    return looks and not standing.allows(name.paise) and standing.bid is not None


def _with_scale(
    name: _Named, found: Sequence[_Named], scaled: Sequence[int], standing: Standing
) -> _Named:
    """Put a scale back that another number of the line has: "60 hazaar nahi to 58".

    In a range ("8.2 to 8.5") and beside another price ("16 in cash, 16500 online") it is guessed.
    """
    if name.guessed and _is_near(name.paise, scaled):
        return msgspec.structs.replace(name, guessed=False)
    if name.sure or not standing.is_tiny(name.paise):
        return name
    meant = standing.with_scale(name.paise)
    lent = [price for price in meant if _is_near(price, scaled)]
    if len(lent) == 1:
        return _Named(lent[0], name.role, name.said, True)
    is_range = len(found) == RANGE and all(one.role == "either" for one in found)
    is_price = (
        len(found) > 1 and len(name.said.amount.digits) > 1 and any(map(standing.allows, meant))
    )
    alone = len(found) == len(meant) == 1 and meant[0] >= THOUSAND * name.paise
    alone = alone and _CLOCK.fullmatch(name.said.amount.digits) is None
    is_bid = meant == [standing.bid] and name.role != "bare"
    alone = alone and (is_bid or standing.allows(meant[0]))
    if len(meant) == 1 and (is_range or is_price or alone):
        return _Named(meant[0], name.role, name.said, True, guessed=True)
    return name


RANGE = 2
_CLOCK = re.compile(r"\d{1,2}\.[0-5]\d")
THOUSAND = 1000
"""The least scale that a number by itself leaves out."""


def _is_near(price: int, others: Sequence[int]) -> bool:
    return any(price / NEAR <= other <= price * NEAR for other in others)


NEAR = 2
"""Prices of one line that are of one size lie within this factor."""


def _without_start(said: list[tuple[Said, Role]], standing: Standing) -> list[tuple[Said, Role]]:
    for (left, role), (right, other) in pairwise(said):
        down = right.amount.paise < left.amount.paise == standing.ask
        if down and "either" in (role, other) and len(said) == 2:
            return [(right, "named")]
    return said


def _to_named(item: Said, role: Role, standing: Standing) -> _Named:
    paise, other = item.amount.paise, item.amount.other
    if other is not None:
        fits = [value for value in (paise, other) if standing.fits(value)]
        if len(fits) == 1:
            return _Named(fits[0], role, item, True)
    if role in MEANT_ROLES and standing.is_tiny(paise) and not item.marked:
        # "11.5 final" where 12,500 is asked.
        scaled = standing.with_scale(paise)
        if len(scaled) == 1:
            return _Named(scaled[0], role, item, True, guessed=True)
    # "eight sixty five" where 9,00,000 is asked: more than the hundred may be left out.
    is_told = item.amount.scaled and not (item.amount.spoken and standing.is_tiny(paise))
    return _Named(paise, role, item, other is None and (item.marked or is_told))


def _without_scales(left: Amount, right: Amount) -> int:
    """Join two halves of a number: "forty five five", "26 50"; "28 29" and "72 72" are two."""
    tens, units = range(1000, 10_000, 100), range(100, 1000, 100)
    if 0 <= right.paise - left.paise <= FEW:
        return 0
    if left.digits and right.digits and left.paise in tens and right.paise in tens:
        return left.paise * 100 + right.paise
    if left.digits or right.digits:
        return 0
    if left.paise in tens and right.paise in units:
        return left.paise * 1000 + right.paise * 100
    is_spoken = left.paise in (*units, *tens) and right.paise in range(10_000, 100_000, 100)
    return left.paise * 1000 + right.paise if is_spoken else 0


def _joined(found: list[_Named], standing: Standing) -> list[_Named]:
    if len(found) != 2:
        return found
    left, right = found
    if "either" in (left.role, right.role):
        return found
    beside = right.said.piece == left.said.piece + 1 and right.said.before == " "
    whole = _without_scales(left.said.amount, right.said.amount) if beside else 0
    if standing.allows(whole):
        return [_Named(whole, right.role, right.said, True)]
    digits = len(left.said.amount.digits) <= 3 == len(right.said.amount.digits)
    digits = digits and right.said.amount.digits.isdigit()
    whole = left.said.amount.paise * 1000 + right.said.amount.paise
    if digits and beside and standing.fits(whole):
        if standing.fits(right.said.amount.paise):
            return found
        return [_Named(whole, right.role, right.said, True)]
    return found


def _without_small(found: list[_Named], standing: Standing) -> list[_Named]:
    return [
        name
        for name in found
        if name.sure
        or name.said.amount.fraction
        or not standing.is_tiny(name.paise)
        or ("." in name.said.amount.digits and standing.with_scale(name.paise))
    ]


def _unclear(name: _Named, standing: Standing) -> PriceReading | None:
    amount = name.said.amount
    if name.role == "vague":
        return standing.whether(name.paise)
    if _COMMA.search(name.said.before):
        # ",75 lakh": a digit is missing, or the comma is a point.
        return standing.one_of([name.paise // 100, name.paise])
    if not MIN_PRICE <= name.paise <= MAX_PRICE:
        return standing.price(name.paise, None)
    if not name.said.marked and _MINUS.search(name.said.before):
        return standing.whether(name.paise)
    if amount.other is not None and not name.sure:
        return standing.one_of([name.paise, amount.other])
    if amount.fraction and name.paise == amount.paise:
        return standing.one_of(standing.with_scale(name.paise) or [name.paise * 100])
    if amount.spoken and name.sure and standing.is_tiny(name.paise):
        return standing.whether(name.paise)  # a number word before "sau" was not known
    if name.sure or not standing.is_small(name.paise):
        return None
    meant = standing.with_scale(name.paise)
    if meant:
        below = standing.bid is not None and name.paise < standing.bid
        return standing.one_of(meant if below else [name.paise, *meant])
    return standing.whether(name.paise) if standing.is_tiny(name.paise) else None


_SOMEWHERE = word_set("kuch kahin kahi koi something somewhere some anything")
_BETWEEN = word_set("beech bich between middle halfway midway center centre")
_HALVES = word_set("half aadha aadhe adha split")
_APART = CLASSES["time"] | word_set("fark antar difference gap kitna")
WEAK: tuple[Role, ...] = ("bare", "hint")
STRONG: tuple[Role, ...] = ("floor", "final", "named")
"""A price in such a role stands against others that no word marks."""


def read_prices(
    text: str, standing_ask: Paise | None, standing_bid: Paise | None, currency: str = "INR"
) -> PriceReading:
    """Read the price a seller names; never raises, in time proportional to the length of the text.

    Standing prices in paise, for words like "50 kam" and "meet in the middle".

    >>> read_prices("170 nahi 165", Paise(20000), Paise(15000)).price
    16500
    >>> read_prices("150 ya 170?", Paise(20000), None).question
    'Which is your price: ₹150 or ₹170?'
    >>> read_prices("3 other offers", Paise(20000), None).price is None
    True
    """
    return read_text(to_text(text), Standing(standing_ask, standing_bid, currency))


def read_text(text: Text, standing: Standing) -> PriceReading:
    """Read a text that is cut already; see ``read_prices``."""
    found = tuple(roles(text))
    said = list(zip(text.said, found, strict=True))
    reading = _read(text, said, standing)
    if reading.price is None and not reading.reckoned:
        reading = without_scale(text, standing) or reading
    return msgspec.structs.replace(reading, roles=found)


def _read(text: Text, said: list[tuple[Said, Role]], standing: Standing) -> PriceReading:
    told = _between_both(text, said, standing) or reckoned(text, said, standing)
    if told is not None:
        return told
    prices = _named_prices(text, said, standing)
    steps = changes(text, said, standing)
    if steps and not prices and standing_words(text) is not None:
        step = moved(text, steps[0], standing)
        return standing.whether_reckoned(step) if step is not None else PriceReading()
    if len(prices) > 1:
        return _several(text, prices, standing)
    if prices:
        price = prices[0]
        beside = _beside_steps(text, price, steps, standing) if steps else None
        if beside is not None:
            return beside
        is_open = price.role in WEAK and _goes_on(price, said, standing)
        if is_open or _has_a_twin(price, said):
            return standing.whether(price.paise)
        return _one(text, price, standing)
    if steps:
        reading = changed_price(text, steps, standing)
        others = PRICE_ROLES & {role for _, role in said}
        if reading.price is not None and (
            others or not is_plain(text) or _is_speck(text, steps, standing)
        ):
            return standing.whether_reckoned(reading.price)
        return reading
    return _without_amounts(text, said, standing)


def _beside_steps(
    text: Text, price: _Named, steps: list[tuple[Said, Role]], standing: Standing
) -> PriceReading | None:
    if any(item.amount.paise == price.paise for item, _ in steps):
        return standing.whether(price.paise)  # "four fifty less or four fifty final"
    step = moved(text, steps[0], standing)
    if step is not None and _starts_there(text, price, steps, standing):
        return changed_price(text, steps, standing)  # "11000 pe 500 aur jod lo"
    if step not in (None, price.paise) and price.role in WEAK:
        return standing.one_of([price.paise, step or 0])
    return None


def _starts_there(
    text: Text, price: _Named, steps: list[tuple[Said, Role]], standing: Standing
) -> bool:
    """Whether a price is only where the one step begins, with "on" between them."""
    item, role = steps[0]
    start = standing.bid if role == "more" else standing.ask
    words = [piece.text for piece in text.pieces[price.said.piece + 1 : item.piece]]
    beside = len(words) == 1 or words == ["mein", "se"] or is_percent(text, item)
    is_speck = _is_speck(text, steps, standing)
    return len(steps) == 1 and price.paise == start and beside and not is_speck


def _is_speck(text: Text, steps: Sequence[tuple[Said, Role]], standing: Standing) -> bool:
    """Whether so small a step has surely lost its scale: "5 less" where 75,000 is asked."""
    item = steps[0][0]
    bare = not (item.marked or item.amount.scaled or is_percent(text, item))
    return bare and item.amount.paise * SPECKS < (standing.ask or 0)


SPECKS = 500
"""Nobody moves by less than a five-hundredth of the ask."""


def _goes_on(price: _Named, said: list[tuple[Said, Role]], standing: Standing) -> bool:
    """Whether another sum that a price might be stands behind one that no word marks."""
    known = (standing.ask, standing.bid, price.paise)
    return any(
        item.piece > price.said.piece
        and role not in ("counted", "refused", "rival", "later")
        and standing.allows(item.amount.paise)
        and item.amount.paise not in known
        for item, role in said
    )


def _has_a_twin(price: _Named, said: list[tuple[Said, Role]]) -> bool:
    """Whether a price is one end of a range whose other end lost its scale: "1 lakh 40 ya 45"."""
    ends = [item.piece for item, role in said if role == "either"]
    return price.role == "either" and any(
        0 < abs(piece - price.said.piece) <= RANGE for piece in ends
    )


def _one(text: Text, name: _Named, standing: Standing) -> PriceReading:
    if name.guessed:
        return standing.whether(name.paise)
    more = name.paise + (standing.bid or 0)
    if standing.bid is not None and name.paise < standing.bid and standing.allows(more):
        after = text.pieces[name.said.piece + 1 : name.said.piece + 2]
        if after and after[0].text in _AND_MORE:
            return standing.whether_reckoned(more)  # "ek hazaar aur bas"
    span = text.span(name.said.piece, name.said.piece)
    return _unclear(name, standing) or standing.price(name.paise, span)


def stands_whole(
    text: Text, reading: PriceReading, paise: int, standing: Standing, *, alone: bool
) -> bool:
    """Whether a price stands as it is in a line that moves nothing and leaves no choice.

    Then the judge may say that it is meant, beside numbers that no next price can be; not
    ``alone``: or that are somebody else's, refused or old.
    """
    said = [(item.amount.paise, role) for item, role in zip(text.said, reading.roles, strict=True)]
    is_said = any(price == paise and role in (*STRONG, *WEAK) for price, role in said)
    # "1.68 lakh, the transfer is 6-7 thousand": such a range is of no price.
    is_open = any(
        role in STEPS
        or (role in CHOICES and (standing.allows(price) or standing.with_scale(price)))
        for price, role in said
    )
    possible = {
        price for price, role in said if standing.allows(price) and (alone or role in PRICE_ROLES)
    }
    return is_said and not is_open and possible == {paise}


CHOICES: frozenset[Role] = frozenset({"either", "vague"})
_AND_MORE = word_set("aur more extra zyada")


def _between_both(
    text: Text, said: list[tuple[Said, Role]], standing: Standing
) -> PriceReading | None:
    """Read the middle of both standing prices where both are named: "my 25, your 20, halfway"."""
    words = {piece.text for piece in text.pieces}
    sums = {item.amount.paise for item, role in said if role not in ("counted", "year")}
    both = {standing.ask, standing.bid}
    is_both = any({paise * scale for paise in sums} == both for scale in (1, *SCALES))
    if not is_both or words.isdisjoint(_BETWEEN | _HALVES):
        return None
    is_clear = "?" not in text.plain.text and words.isdisjoint(_SOMEWHERE | _APART)
    # "between your 9.5 and my 8, yours it is": where scales are left out, somebody has to move.
    moves = _MEETING | _BETWEEN if sums == both else _MEETING
    is_clear = is_clear and not words.isdisjoint(moves)
    span = text.span(said[0][0].piece, said[-1][0].piece)
    return _standing("middle", span, standing, is_clear=is_clear)


def _several(text: Text, prices: list[_Named], standing: Standing) -> PriceReading:
    new = [name for name in prices if name.paise not in (standing.ask, standing.bid)]
    free = all(name.role != "either" and name.said.before.strip(" ,.") == "" for name in prices)
    if free and len(new) == 1 and _is_between(new[0], standing):
        # "you 150, i 200, come to 175": the standing prices are only repeated.
        return _one(text, new[0], standing)
    possible = [name for name in prices if standing.allows(name.paise)]
    if len(possible) == 2 and all(_hangs(text, name) for name in possible):
        # "delivery meri to 1700, khud le jao to 1600"
        return standing.one_of(name.paise for name in possible)
    is_range = any(name.said.before.strip() in _RANGE for name in prices[1:])
    if len(possible) == 1 and possible[0].role != "either" and not is_range:
        others = [name for name in new if name is not possible[0]]
        if possible[0].role in WEAK and others and asks(text, possible[0].said):
            return standing.whether(possible[0].paise)
        return _one(text, possible[0], standing)
    for role in STRONG:
        strong = [name for name in prices if name.role == role]
        if not strong:
            continue
        # "not below 5500 ... would 5600 do?": such a floor is not what is asked.
        is_below = role == "floor" and any(name.paise > strong[0].paise for name in possible)
        is_told = len(possible) < RANGE or strong[0] is possible[-1]
        free = all(name.role != "either" for name in prices) or _closes(text, strong[0], prices)
        if len(strong) == 1 and is_told and not is_below and free:
            return _one(text, strong[0], standing)
        break
    return standing.one_of(name.paise for name in prices)


def _closes(text: Text, name: _Named, prices: list[_Named]) -> bool:
    """Whether a price that is called final comes in a clause behind all the others."""
    between = text.pieces[prices[-2].said.piece + 1 : name.said.piece + 1]
    is_last = name.role == "final" and name is prices[-1]
    return is_last and any(piece.breaks for piece in between)


def _hangs(text: Text, name: _Named) -> bool:
    """Whether a word straight before a price makes it hang on something: "cash doge to 900"."""
    before = text.pieces[max(name.said.piece - 1, 0) : name.said.piece]
    return bool(before) and before[0].text in _HANGING


_HANGING = word_set("to toh then")


def _is_between(name: _Named, standing: Standing) -> bool:
    return standing.allows(name.paise) and name.paise != standing.ask


def _without_amounts(text: Text, said: list[tuple[Said, Role]], standing: Standing) -> PriceReading:
    words = standing_words(text)
    if words is not None and not _shares_a_cost(text, words.word):
        clear = _is_said_plainly(text, words.first)
        return _standing(words.word, text.span(words.first, words.last), standing, is_clear=clear)
    # "180 from tomorrow": perhaps that is the ask, perhaps not. What others offer is none.
    prices = {item.amount.paise for item, role in said if role == "later"}
    if len(prices) == 1 and standing.fits(max(prices)):
        return standing.whether(max(prices))
    return PriceReading()


def _shares_a_cost(text: Text, word: str) -> bool:
    """Whether it is a cost that is to be halved: "delivery ka kharcha aadha aadha"."""
    costs = CLASSES["fees"] | _COSTS
    return word != "same" and any(piece.text in costs for piece in text.pieces)


_COSTS = word_set("kharcha kharch kiraya bhada cost costs fare")


def _is_said_plainly(text: Text, first: int) -> bool:
    """Whether "meet in the middle" is done rather than wondered about."""
    if not is_plain(text) or any(piece.text in _WONDERING for piece in text.pieces):
        return False
    return any(piece.text in _MEETING for piece in text.pieces[first - min(first, 3) :])


_MEETING = word_set(
    "meet settle close agree split go do make kar karo kardo karte karein karlo karlete lo aate "
    "aao aa milte mil milo rakho rakhte"
)
_WONDERING = word_set("shall should can could would maybe perhaps na kya shayad nuksan loss")


def _standing(
    word: str, span: tuple[int, int], standing: Standing, *, is_clear: bool
) -> PriceReading:
    if standing.ask is None:
        return PriceReading()
    if word == "same":
        return standing.price(standing.ask, span)
    if word == "half" and standing.allows(standing.ask // 2):
        return standing.whether_reckoned(standing.ask // 2)
    if standing.bid is None:
        return PriceReading(question=ask_without_bid())
    middle = clamp_price((standing.ask + standing.bid) / 2)
    if is_clear:
        return standing.price(middle, span)
    return standing.whether_reckoned(middle)
