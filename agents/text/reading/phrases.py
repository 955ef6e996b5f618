"""A small language for phrases, and a table that finds them in one pass.

A pattern is a line of elements::

    need|want the? money     one of several words; a word that may be missing
    le_lo|lelo               an alternative of two words
    # se kam nahi            ``#`` is an amount
    # other @people          ``@people`` is a word of that class
    bought * * for #         ``*`` is any one word, ``~`` up to two of them
    ^ 50 $                   the start and the end of a clause

Phrases never reach over the end of a sentence, nor over a comma unless a table is made to.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Generic, TypeVar

import msgspec

from agents.text.reading.spelling import spell, word_set
from bazaarbatna.lazily import lazily

Record = TypeVar("Record")

AMOUNT, ANY, START, END = "#", "*", "^", "$"


class Piece(msgspec.Struct, frozen=True):
    """A word or an amount of the text; ``breaks`` tells that a clause ended before it."""

    text: str
    breaks: bool = False


class Hit(msgspec.Struct, Generic[Record], frozen=True):
    """A phrase found at the pieces ``first..last``.

    ``weight`` is 10 for each element that says something, less 1 for each wild card.
    """

    record: Record
    first: int
    last: int
    weight: int


class _Node(Generic[Record]):
    """A place in the rows of a table: where a word leads, what that weighs, which rows end here."""

    __slots__ = ("next", "records")

    def __init__(self) -> None:
        self.next: dict[str, tuple[_Node[Record], int]] = {}
        self.records: list[tuple[Record, int]] = []


_Rest = tuple[tuple[int, int, tuple[str, ...]], int]
"""What is left of a row: its number, its next element, words to finish a choice; the weight."""


class Phrasebook(Generic[Record]):
    """Finds every phrase of a table; the time is proportional to the length of the text."""

    def __init__(
        self,
        table: Iterable[tuple[str, Record]],
        classes: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self._table = tuple(table)
        self._root = lazily(self._planted)
        self._classes: dict[str, tuple[str, ...]] = {}
        for name, words in (classes or {}).items():
            for word in words:
                self._classes[word] = (*self._classes.get(word, ()), f"@{name}")

    def _planted(self) -> _Node[Record]:
        rows = [([_choices(word) for word in row.split()], it) for row, it in self._table]
        return _grown([((row, 0, ()), 0) for row in range(len(rows))], rows, {})[0]

    def find(self, pieces: list[Piece]) -> Iterator[Hit[Record]]:
        """Return all phrases, in the order of their starts, overlapping ones too."""
        root, keys = self._root(), [self._keys(piece.text) for piece in pieces]
        at_start = [(root, 0), root.next[START]] if START in root.next else [(root, 0)]
        for first, piece in enumerate(pieces):
            nodes = at_start if first == 0 or piece.breaks else [(root, 0)]
            yield from self._at(pieces, keys, first, nodes)

    def _at(
        self,
        pieces: list[Piece],
        keys: list[tuple[str, ...]],
        first: int,
        nodes: list[tuple[_Node[Record], int]],
    ) -> Iterator[Hit[Record]]:
        place = first
        while nodes and place < len(pieces):
            if place > first and pieces[place].breaks:
                return
            nodes = [
                (step[0], weight + step[1])
                for node, weight in nodes
                for key in keys[place]
                if (step := node.next.get(key)) is not None
            ]
            ends = place + 1 == len(pieces) or pieces[place + 1].breaks
            for node, weight in nodes:
                for record, more in node.records:
                    yield Hit(record, first, place, weight + more)
                if ends and END in node.next:
                    end, weighs = node.next[END]
                    for record, more in end.records:
                        yield Hit(record, first, place, weight + weighs + more)
            place += 1

    def _keys(self, text: str) -> tuple[str, ...]:
        if text == AMOUNT:
            return (AMOUNT,)
        return (text, ANY, *self._classes.get(text, ()))


def _grown(
    rests: list[_Rest],
    rows: list[tuple[list[list[tuple[str, ...]]], Record]],
    known: dict[tuple[_Rest, ...], _Node[Record]],
) -> tuple[_Node[Record], int]:
    """Return the node of some rests, and what the way there weighs beyond what they say.

    Ways with the same rest share it: 29 rows of corrections are 684 nodes, not 246,759.
    """
    least = rests[0][1] if rests else 0
    key = tuple((rest, weight - least) for rest, weight in rests)
    if key in known:
        return known[key], least
    node = known[key] = _Node[Record]()
    following: dict[str, list[_Rest]] = {}
    left = [*reversed(key)]
    while left:
        (row, at, words), weight = left.pop()
        elements, record = rows[row]
        if words:
            rest = (row, at, words[1:]), weight + (-1 if words[0] == ANY else 10)
            following.setdefault(words[0], []).append(rest)
        elif at < len(elements):
            left += [((row, at + 1, one), weight) for one in reversed(elements[at])]
        else:
            node.records.append((record, weight))
    node.next = {word: _grown(behind, rows, known) for word, behind in following.items()}
    return node, least


@cache
def _choices(element: str) -> list[tuple[str, ...]]:
    """Write out every word sequence an element stands for.

    >>> _choices("take|le_lo"), _choices("it?")
    ([('take',), ('le', 'lo')], [('it',), ()])
    >>> _choices("nahin"), _choices("dont")
    ([('nahi',)], [('dont',), ('do', 'not')])
    """
    if element == "~":
        return [(), (ANY,), (ANY, ANY)]
    optional = element.endswith("?")
    words = []
    for alternative in element.rstrip("?").split("|"):
        words.append(tuple(_spelled(word) for word in alternative.split("_")))
        if alternative in SHORTENED:
            words.append((SHORTENED[alternative], "not"))
    return [*words, ()] if optional else words


SHORTENED = {
    "dont": "do", "wont": "will", "cant": "can", "isnt": "is", "arent": "are", "doesnt": "does",
    "didnt": "did", "wasnt": "was", "hasnt": "has", "havent": "have",
}  # fmt: skip


def _spelled(word: str) -> str:
    return spell(word) if word[0].isalpha() else word


CLASSES = {
    name: word_set(words)
    for name, words in {
        "people": """
            log people person persons offers offer buyers buyer customers customer bids enquiries
            inquiries messages msgs calls replies parties party banda guys walo jan jane dost
            friends kids bache bacche brothers sisters members grahak responses chats dm dms
            families bidders
        """,
        "bidders": """
            offer offers buyer buyers people person customer customers log party parties guy guys
            grahak bid bids bidder bidders calls messages msgs enquiries inquiries replies banda
        """,
        "many": """
            do teen das kai kaafi bahut many several multiple few couple some various itne plenty
            lots
        """,
        "time": """
            days day din dino dinon hafte hafta haftey weeks week months month mahine mahina
            mahino years year yrs yr saal sal varsh warsh baras hours hour hrs hr ghante ghanta
            minutes minute mins baje tareekh tarikh am pm oclock times time baar bar dafa weekend
            raat seconds sec
        """,
        "unit": """
            gb tb mb mp megapixel inch inches kg kgs gm gms gram grams km kms kmpl cc
            kilometer kilometre kilometers
            hp watt watts w mah ml litre liter litres liters ltr cm mm ft feet foot meter metre
            mtr star stars percent pc pieces piece pcs items units sets pair pairs seater door
            doors bhk sqft core cores hz fps rating ratings model edition gen generation series
            owner owners number nos page pages speed gear gears burner ton volt amp string strings
            photos pics installment installments instalments kist kisht emi emis keys legs shelves
            drawers st nd rd th x g v bit ram marks runs points btu psi kva mbps
            reasons things cheez p cheezein shirts chairs books plates cups tyres wheels seats
            scratches dents followers subscribers views likes rpm steps lumens dpi meter mtrs kadam
        """,
        "label": """
            model year since size class std sector block flat floor phase version gen series type
            grade room house gali road ward pin pincode otp part level step page iphone galaxy
            note redmi realme oneplus pixel poco moto vivo oppo nokia xbox playstation ps windows
            android ios ipad watch macbook thinkpad pro core battery health rating aged age euro
            number nord order code serial gate gali lane metro platform wing sektar tower
            pillar ward
        """,
        "other": """
            someone somebody another other others dusra koi party buyer buyers customer customers
            banda guy he she they friend neighbour dealer people dukandar shop shopkeeper kabadi
            padosi anyone competitor competitors rival rivals showroom
        """,
        "rival": """
            someone somebody another others dusra dost friend friends cousin uncle aunty lady dude
            guy guys banda ladka ladke aadmi customer customers buyer buyers party dealer
            shopkeeper dukandar dukaandar shop padosi neighbour neighbor colleague relative kisi
            people log family student collector kabadi
        """,
        "asked": "maang maanga manga bol bola keh kah kaha ask asked asking said offered",
        "human": """
            someone somebody anyone anybody dusra koi guy boy girl man woman gentleman lady aadmi
            ladka ladke ladki aunty uncle cousin neighbour neighbor padosi colleague dealer kabadi
            shopkeeper dukandar dukaandar dukan dukaan shop stall sahab saab sir party customer
            buyer client competitor rival couple student family mausi beti beta bhabhi bhatija
            nephew collector broker dalal he she they friend dost seller relative shops dealers
            sellers stores
        """,
        "paying": "cash nakad nagad upi online gpay udhar udhaar kisht cheque card",
        "stranger": """
            someone somebody anybody he she they dealer competitor kabadi neighbour neighbor padosi
            colleague collector broker dalal weaver mechanic lady gentleman guy
        """,
        "trading": """
            giving gives gave asking asks selling sells offering offered offers quoted quoting takes
            taking paying pays said told
        """,
        "platform": """
            olx quikr cashify amazon flipkart croma meesho spinny cars24 carwale facebook fb
            marketplace ebay ikea decathlon snapdeal myntra online showroom net internet google
        """,
        "gone": "gaye gaya gayi raha razi raazi ready taiyar tayar chuka baithe baitha hai the tha",
        "silly": """
            mil bachega bachta milta milti milega milegi aata aati ata ati aayega aayegi aa banta
            banti hota hoti hogi sakta sakti silta bikta bikega bech bechna lakdi sirf khali
            aa_jayega dekhne chalta aenge ayenge aayenge
        """,
        "wanting": """
            wants wanted maang begging offered offering taiyar lagaya laga dega degi denge lega
            legi lenge token advance chahiye interested waiting paying ready giving bola booked
            asked asking pooch dekhne lene khareedne bid quoted promised
        """,
        "will": """
            karunga karenge karte karta hoga hogi honge milega milegi dunga denge deta karna
            payega payegi sakta sakti sakte chalega jaunga
        """,
        "day": """
            today tomorrow kal aaj tonight weekend parso sunday monday tuesday wednesday thursday
            friday saturday morning evening shaam raat noon midnight
        """,
        "bidding": """
            offered offering offer offers giving gave ready bola paying pay pays willing said de
            dene diya bidding bid deta quoted
        """,
        "part": """
            screen display battery glass panel tyre tyres seat body part parts motor compressor
            charger lens keyboard motherboard strap handle
        """,
        "few": """
            some few minor small little light slight many halke chhote thode thoda halka ek do
            tiny couple normal usual
        """,
        "praise": """
            great excellent amazing superb fantastic best top premium solid good high mast badhiya
            zabardast kamaal
        """,
        "flaw": """
            scratch scratches dent dents damage mark marks issue issues problem problems defect
            defects leaks leak termites cracks crack holes rust stains tears fault complaint
            kharabi kami kharonch daag dikkat chip chips
        """,
        "very": "too very bahut bohot bht kaafi so itna thoda way still quite bit much far ekdum",
        "little": "low less kam small little sasta cheap lower nothing",
        "loss": "loss nuksan ghata losing lose profit margin fayda",
        "no": "nahi na mat no not never nope",
        "below": "neeche kam below under less lower andar",
        "cannot": "cant wont dont cannot couldnt wouldnt never not impossible",
        "final": "final last fixed firm aakhri lowest net locked lock",
        "give": """
            dunga denge deta do dedo de dena diya sakta karta karunga kar hu dijiye lunga chahiye
            rakho rakh karo dijie lena laga lagao
        """,
        "market": """
            mrp bill invoice retail market showroom online amazon flipkart olx naya new original
            store mall croma meesho wholesale mandi
        """,
        "fees": """
            delivery shipping courier transport service servicing repair repairs installation
            token advance bayana deposit petrol auto charges
        """,
        "goods": "accessories charger cover case cable warranty box bill remote bag cap lid stand",
        "laterday": """
            kal tomorrow tmrw tmr later baad parso monday tuesday wednesday thursday friday
            saturday sunday otherwise warna varna
        """,
        "cut": "minus less reduce drop cut knock discount lower decrease shave",
        "offaction": """
            kar karo karta karunga kardo karke karna le lo lelo de dedo dena deta dunga ho kiya
            kara karva lijiye dijiye dijie karde do doge dogi
        """,
    }.items()
}  # fmt: skip
