"""A text as phrases see it: words, and amounts with what was written around them."""

import msgspec

from agents.text.reading.amounts import Amount, take_apart
from agents.text.reading.phrases import AMOUNT, Piece
from agents.text.reading.plain_text import PlainText, Term, pauses
from agents.text.reading.spelling import word_set
from bazaarbatna.lazily import kept

_CURRENCY = "rupees"
_GLUED_WORDS = word_set(
    "final last only mein ka se tak de do le lo nahi ok done off kam aur less fixed firm max min "
    "pakka hai par pe ki at for dedo lelo chalo bas net each ish kardo cash wala m theek"
    " lunga dunga"
)
"""Words that people write against a number: "170final", "170mein"."""

_ASKED = word_set(
    "lo do dedo lelo karo kardo lijiye dijiye lagao rakho bolo batao dekho jao aao samjho chalo"
)
"""What a "na" behind it asks for once more."""

MAX_AMOUNTS = 40
"""No sentence names more prices; what comes after is not read."""


class Said(msgspec.Struct, frozen=True):
    """An amount in a text, the signs around it, and the word written against it ("gb")."""

    amount: Amount
    piece: int
    before: str
    after: str
    marked: bool
    glued: str


class Text(msgspec.Struct, frozen=True):
    """A text ready for reading."""

    plain: PlainText
    terms: list[Term]
    pieces: list[Piece]
    places: list[tuple[int, int]]
    said: list[Said]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return where the pieces ``first..last`` stand in the original text, in code points."""
        start = self.terms[self.places[first][0]].start
        return self.plain.span(start, self.terms[self.places[last][1]].end)

    def around(self, piece: int) -> str:
        """Return the signs straight behind a piece."""
        following = self.places[piece][1] + 1
        if following < len(self.terms):
            return self.terms[following].gap
        return self.plain.text[self.terms[-1].end :]


@kept(512)
def to_text(text: str) -> Text:
    """Cut a person's words for reading; never raises. What it gives belongs to all who ask."""
    parts = take_apart(text)
    terms, tail = parts.terms, parts.tail
    amounts = {amount.first: amount for amount in parts.amounts}
    pieces: list[Piece] = []
    places: list[tuple[int, int]] = []
    said: list[Said] = []
    place = 0
    while place < len(terms):
        breaks = pauses(terms[place].gap)
        first, amount = _amount_at(terms, amounts, place)
        if amount is None or len(said) >= MAX_AMOUNTS:
            word = terms[place].text
            is_tag = word == "na" and not breaks and pieces[-1:] and pieces[-1].text in _ASKED
            # "kar lo na": a tag, no "no".
            pieces.append(Piece("please" if is_tag else word, breaks))
            places.append((place, place))
            place += 1
            continue
        if _is_fifty_fifty(terms, amount, amounts.get(amount.last + 1)):
            pieces.append(Piece("fiftyfifty", breaks))
            places.append((place, amount.last + 1))
            place = amount.last + 2
            continue
        last, item = _said(terms, tail, amount, len(pieces), marked=first != amount.first)
        said.append(item)
        pieces.append(Piece(AMOUNT, breaks))
        places.append((first, last))
        place = last + 1
    return Text(parts.plain, terms, pieces, places, said)


def _is_fifty_fifty(terms: list[Term], left: Amount, right: Amount | None) -> bool:
    if right is None or not left.paise == right.paise == 5000:
        return False
    return right.first == right.last and terms[right.first].gap.strip() in ("", "-", "/")


def _amount_at(
    terms: list[Term], amounts: dict[int, Amount], place: int
) -> tuple[int, Amount | None]:
    if terms[place].text == _CURRENCY:
        following = amounts.get(place + 1)
        if following is not None and terms[place + 1].gap.strip() in ("", ".", ":", "-", ".-"):
            return place, following
    return place, amounts.get(place)


def _said(
    terms: list[Term], tail: str, amount: Amount, piece: int, *, marked: bool
) -> tuple[int, Said]:
    last = amount.last
    after = _gap(terms, tail, last + 1)
    glued = ""
    if last + 1 < len(terms) and not terms[last + 1].digits:
        word = terms[last + 1].text
        if word == _CURRENCY and after.strip() == "":
            last, marked = last + 1, True
            after = _gap(terms, tail, last + 1)
        elif after == "" and word not in _GLUED_WORDS:
            glued = word
    before = terms[amount.first].gap
    if before == "" and amount.first and not marked:
        word = terms[amount.first - 1].text
        if word not in _GLUED_WORDS and not terms[amount.first - 1].digits:
            glued = word
    marked = marked or after.startswith("/-")
    return last, Said(amount, piece, before, after, marked, glued)


def _gap(terms: list[Term], tail: str, place: int) -> str:
    return terms[place].gap if place < len(terms) else tail
