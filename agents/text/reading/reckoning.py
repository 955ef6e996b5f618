"""What a line leaves its listener to reckon: "2k se sau kam", "5k + 800", "half of 10000"."""

from collections.abc import Sequence
from itertools import pairwise

from agents.text.reading.amounts import LAKH, THOUSAND
from agents.text.reading.answer import PriceReading, Standing
from agents.text.reading.phrases import Piece
from agents.text.reading.pieces import Said, Text
from agents.text.reading.roles import Role
from agents.text.reading.spelling import word_set
from bazaarbatna.number_words import NUMBERS, SPOKEN_DIGITS

Amounts = Sequence[tuple[Said, Role]]


def reckoned(text: Text, said: Amounts, standing: Standing) -> PriceReading | None:
    """Read a price that follows from the numbers of a line, or None.

    What is taken off with a word of taking off is booked; a sum, a multiple and a price in two
    instalments are asked back, and nothing is booked of their parts.
    """
    less = _less_before(text, said, standing)
    if less is not None:
        return less
    left = _taken_off(text, said)
    if left is not None and standing.allows(left):
        return standing.price(left, None)
    whole = (
        _and_a_half(text, said)
        or _and_thousands(text, said)
        or _put_on(text, said)
        or _added(text, said)
        or _multiplied(text, said)
        or _paid_in_parts(text, said, standing)
    )
    if not whole:
        return None
    if standing.allows(whole):
        return standing.whether_reckoned(whole)
    parts = [item.amount.paise for item, _ in said if standing.allows(item.amount.paise)]
    return standing.whether(parts[0]) if parts else PriceReading()


_LESS = word_set("kam less ghata ghatake minus")
_OFF = _LESS | word_set(
    "kaat kaate kate kato kaato kat kata kaata hata hatao nikal nikalo chhod off"
)


def _taken_off(text: Text, said: Amounts) -> int | None:
    """Return what "2k se sau kam" and "100 less than 2k" leave; None where nothing is taken off."""
    if len(said) not in (2, 3):
        return None
    left, right = said[0][0], said[1][0]
    words = [piece.text for piece in text.pieces]
    between, after = words[left.piece + 1 : right.piece], words[right.piece + 1 : right.piece + 4]
    if _NOT & {*between, *after} or "%" in text.plain.text:
        return None
    rest = left.amount.paise - right.amount.paise
    if len(said) == 3:
        # "6000 mein se 400 kaate, bache 5600"
        told = said[2][0].amount.paise
        return rest if told == rest and _OFF & {*between, *after} else None
    if between == ["mein", "se"] and after[:1] and after[0] in _OFF:
        return rest
    if between == ["se"] and not _LESS.isdisjoint(after[:2]):
        return rest
    flows = not any(piece.breaks for piece in text.pieces[left.piece + 1 : right.piece + 1])
    if flows and between in (["less", "than"], ["below"], ["under"]):
        return right.amount.paise - left.amount.paise
    return None


_NOT = word_set("nahi not no mat never cant wont na")


def _less_before(text: Text, said: Amounts, standing: Standing) -> PriceReading | None:
    """Ask whether "ek sau kam 5900" is 5900 or less than that, unless only one can be."""
    if len(said) != 2 or standing.ask is None:
        return None
    (step, _), (price, _) = said
    words = [piece.text for piece in text.pieces[step.piece + 1 : price.piece + 1]]
    if words[:-1] not in (["kam"], ["less"]) or step.amount.paise >= price.amount.paise:
        return None
    told, rest = price.amount.paise, price.amount.paise - step.amount.paise
    if standing.ask in (told, told + step.amount.paise):
        return standing.price(min(told, standing.ask - step.amount.paise), None)
    return standing.one_of([told, rest]) if standing.allows(told) else None


def without_scale(text: Text, standing: Standing) -> PriceReading | None:
    """Ask about what "do sattar", "nine five" and "one zero eight" are, with the scale put back.

    None where they go on, where no scale or several give a price that may come next, or where
    another number of the line may be one.
    """
    found = {item.piece: item.amount for item in text.said}
    told = (one for one in found.values() if one.digits or one.scaled)
    if any(standing.allows(one.paise) for one in told):
        return None
    digits: list[str] = []
    for at, piece in enumerate((*text.pieces, _END)):
        amount = found.get(at)
        value = NUMBERS.get(piece.text, SPOKEN_DIGITS.get(piece.text))
        if amount is not None:
            plain = not (amount.scaled or amount.fraction) and "." not in amount.digits
            value = amount.paise // 100 if plain else None
        if value is not None and value < 100 and not (digits and piece.breaks):
            digits.append(str(value))
            continue
        if piece.breaks or piece.text in _BEHIND:
            price = _scaled(digits, standing)
            if price is not None:
                return standing.whether_reckoned(price)
        digits = [str(value)] if value is not None and value < 100 else []
    return None


def _scaled(digits: Sequence[str], standing: Standing) -> int | None:
    """Return the one price that two or three spoken numbers give: "nine five", "one zero eight"."""
    for count in (3, 2):
        last = digits[-count:]
        sizes = [len(one) for one in last]
        if len(last) < count or (sizes != [2, 1] and max(sizes[:-1]) > 1):
            continue
        said = int("".join(last))
        found = [said * scale * 100 for scale in SPOKEN_SCALES]
        allowed = [price for price in found if standing.allows(price)]
        if len(allowed) == 1 and allowed[0] != standing.ask:
            return allowed[0]
    return None


SPOKEN_SCALES = (1, 100, 1000)
_END = Piece("", breaks=True)
_BEHIND = word_set(
    "mein me pe par ka ki final last only bas de dedo do le lo lelo karo kar kardo hai h rupees ok "
    "done please bhai sir madam ji yaar se tak lagao rakho dunga dungi deta deti lunga bolta for "
    "aur mera meri main mere is"
)


def _added(text: Text, said: Amounts) -> int | None:
    """Return the sum of two numbers that are joined, unless the second one counts something."""
    for (left, _), (right, _) in pairwise(said):
        between = [piece.text for piece in text.pieces[left.piece + 1 : right.piece]]
        is_joined = between in _ALSO or (not between and right.before.strip() in _SIGNS)
        behind = text.pieces[right.piece + 1 : right.piece + 2]
        ends = not behind or behind[0].breaks or behind[0].text in _ENDS
        is_less = SMALLEST * left.amount.paise <= right.amount.paise < left.amount.paise
        if is_joined and ends and is_less and "=" not in right.after:
            return left.amount.paise + right.amount.paise
    return None


SMALLEST = 0.005
"""A number below this share of the first one is no second part of it."""
_ALSO = (["plus"], ["and"], ["aur"], ["n"])
_SIGNS = ("+", "&")
_ENDS = word_set("upar only bas last final total rupees de dedo do lelo karo kardo chalega ok done")


def _and_a_half(text: Text, said: Amounts) -> int | None:
    """Return what "four grand and a half" and "do hazaar aur aadha" come to."""
    for item, _ in said:
        behind = [piece.text for piece in text.pieces[item.piece + 1 : item.piece + 4]]
        paise = item.amount.paise
        scale = next((one for one in (LAKH, THOUSAND) if paise >= one and paise % one == 0), 0)
        if scale and item.amount.scaled and [word for word in behind if word != "a"][:2] in _HALF:
            return paise + scale // 2
    return None


_HALF = (["and", "half"], ["aur", "aadha"], ["and", "aadha"], ["aur", "half"])


def _and_thousands(text: Text, said: Amounts) -> int | None:
    """Return what "a lakh and five" comes to: thousands, where the second number has no scale."""
    bare = {one.piece: one.amount.paise // 100 for one in text.said if not one.amount.scaled}
    for item, _ in said:
        joined, number = item.piece + 1, item.piece + 2
        if number >= len(text.pieces) or [text.pieces[joined].text] not in _AND:
            continue
        more = bare.get(number, NUMBERS.get(text.pieces[number].text, 0))
        is_lakhs = item.amount.scaled and item.amount.paise % LAKH == 0
        behind = text.pieces[number + 1 : number + 2]
        if is_lakhs and 0 < more < 100 and (not behind or behind[0].breaks or number in bare):
            return item.amount.paise + more * THOUSAND
    return None


_AND = (["and"], ["aur"])


def _put_on(text: Text, said: Amounts) -> int | None:
    """Return what "2300 se 50 upar" and "50 above 2300" come to."""
    words = [piece.text for piece in text.pieces]
    for (left, _), (right, _) in pairwise(said):
        between, after = words[left.piece + 1 : right.piece], words[right.piece + 1 :][:1]
        small, large = sorted((left.amount.paise, right.amount.paise))
        is_more = (between in (["se"], ["ke"]) and after and after[0] in _MORE) or (
            between in (["above"], ["over"], ["more", "than"]) and left.amount.paise == small
        )
        if is_more and SMALLEST * large <= small < large / 2:
            return small + large
    return None


_MORE = word_set("upar zyada jyada aage")


def _multiplied(text: Text, said: Amounts) -> int | None:
    """Return what "half of 10000", "2500 ka double", "2500 x 2" and "teen baar 1700" come to."""
    words = [piece.text for piece in text.pieces]
    for item, _ in said:
        before, after = words[: item.piece][-2:], words[item.piece + 1 : item.piece + 3]
        nearest = [word for word in before if word not in _OF][-1:]
        nearest += [word for word in after if word not in _OF][:1]
        is_of = not _OF.isdisjoint((*before[-1:], *after[:1])) or nearest[:1] == ["twice"]
        found = next((_PARTS[word] for word in nearest if is_of and word in _PARTS), None)
        if len(before) == 2 and [before[1]] in _TIMES:
            found = NUMBERS.get(before[0])
        if found is not None:
            return round(item.amount.paise * found)
    for (left, _), (right, _) in pairwise(said):
        between = words[left.piece + 1 : right.piece]
        is_product = between in _TIMES or (not between and right.before.strip() in _CROSSES)
        small, large = sorted((left.amount.paise, right.amount.paise))
        if is_product and 1 < small // 100 <= MOST_TIMES and "=" not in right.after:
            return small // 100 * large
    return None


_CROSSES = ("*", "x", "\N{MULTIPLICATION SIGN}")
MOST_TIMES = 24
_OF = word_set("of ka ke ki the")
_PARTS = {"half": 0.5, "aadha": 0.5, "adha": 0.5, "double": 2, "twice": 2, "dugna": 2, "duguna": 2}
_TIMES = (["x"], ["times"], ["into"], ["baar"], ["guna"])


def _paid_in_parts(text: Text, said: Amounts, standing: Standing) -> int | None:
    """Return the sum of "3000 abhi, 2800 kal": two parts, neither of which can be the price."""
    if len(said) != 2:
        return None
    first, second = (item.amount.paise for item, _ in said)
    words = {piece.text for piece in text.pieces}
    is_split = not _NOW.isdisjoint(words) and not _LATER.isdisjoint(words)
    least = standing.bid or 0
    if is_split and max(first, second) < least and standing.allows(first + second):
        return first + second
    return None


_NOW = word_set("abhi now aaj today pehle first advance upfront")
_LATER = word_set("baad later kal tomorrow baaki baki next rest month mahine balance")
