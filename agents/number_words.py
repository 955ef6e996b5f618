"""Whole numbers as people say them, in English and in Hindi in Latin script."""

_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_HINDI = (
    "shunya ek do teen chaar paanch chhe saat aath nau das gyarah barah terah chaudah pandrah "
    "solah satrah atharah unnis bees ikkis bais teis chaubis pachis chhabbis sattais atthais "
    "untis tees ikattis battis taintis chauntis paintis chhattis saintis adtis untalis chalis "
    "iktalis bayalis taintalis chauvalis paintalis chhiyalis saintalis adtalis unchas pachas "
    "ikyavan bavan tirpan chauvan pachpan chhappan sattavan atthavan unsath saath iksath "
    "basath tirsath chaunsath painsath chhiyasath sadsath adsath unhattar sattar ikhattar "
    "bahattar tihattar chauhattar pachhattar chhihattar satattar athattar unasi assi ikyasi "
    "bayasi tirasi chaurasi pachasi chhiyasi sattasi atthasi navasi nabbe ikyanve banve "
    "tiranve chauranve pachanve chhiyanve sattanve atthanve ninyanve"
)

ENGLISH, ENGLISH_TENS, HINDI = _ENGLISH.split(), _TENS.split(), _HINDI.split()
"""Words for 0..99: Hindi has its own for each."""

SCALES = {
    "english": ((10_000_000, "crore"), (100_000, "lakh"), (1_000, "thousand"), (100, "hundred")),
    "western": (
        (1_000_000_000, "billion"),
        (1_000_000, "million"),
        (1_000, "thousand"),
        (100, "hundred"),
    ),
    "hindi": ((10_000_000, "crore"), (100_000, "lakh"), (1_000, "hazaar"), (100, "sau")),
}
HALVES = {1.5: "dedh", 2.5: "dhai"}
QUARTERS = ((0.25, "sava", 0, 1), (0.5, "saadhe", 0, 3), (0.75, "paune", 1, 1))
"""Parts of a scale, the word, what the spoken number is too high by, the least spoken number."""


def words(number: int, language: str = "english") -> str:
    """Write a number in words.

    Args:
        number: 0 up to 10**12.
        language: english (lakh, crore), western (million, billion) or hindi.

    >>> words(1750)
    'one thousand seven hundred fifty'
    >>> words(250_000, "hindi")
    'do lakh pachas hazaar'
    """
    if number < 100:
        return _small(number, language)
    for scale, name in SCALES[language]:
        if number >= scale:
            count, rest = divmod(number, scale)
            head = f"{words(count, language)} {name}"
            return f"{head} {words(rest, language)}" if rest else head
    raise AssertionError("every number of 100 or more has a scale")


def spoken(number: int) -> frozenset[str]:
    """Give the ways to say a number, the short ones of the market too.

    >>> sorted(spoken(250))
    ['dhai sau', 'do sau pachas', 'two fifty', 'two hundred and fifty', 'two hundred fifty']
    """
    ways = {words(number, language) for language in SCALES}
    ways |= {_with_and(way) for way in ways}
    hundreds, rest = divmod(number, 100)
    if 10 < hundreds < 100:
        tail = (f" {words(rest)}", f" {words(rest, 'hindi')}") if rest else ("", "")
        ways |= {f"{words(hundreds)} hundred{tail[0]}", f"{words(hundreds, 'hindi')} sau{tail[1]}"}
    if 0 < hundreds < 100 and rest >= 10:
        ways.add(f"{words(hundreds)} {words(rest)}")
    return frozenset(ways | _quarters(number))


def _small(number: int, language: str) -> str:
    if language == "hindi":
        return HINDI[number]
    if number < 20:
        return ENGLISH[number]
    tens, unit = divmod(number, 10)
    return ENGLISH_TENS[tens - 2] + (f" {ENGLISH[unit]}" if unit else "")


def _with_and(way: str) -> str:
    head, hundred, tail = way.rpartition(" hundred ")
    return f"{head}{hundred}and {tail}" if hundred else way


def _quarters(number: int) -> set[str]:
    ways = set()
    for scale, name in SCALES["hindi"]:
        count = number / scale
        if count in HALVES:
            ways.add(f"{HALVES[count]} {name}")
        whole, part = divmod(count, 1)
        for share, word, more, least in QUARTERS:
            said = int(whole) + more
            if part == share and least <= said < 100:
                ways.add(f"{word} {HINDI[said]} {name}")
                if said == 1:
                    ways.add(f"{word} {name}")
    return ways
