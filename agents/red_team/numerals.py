"""Numbers in words, from tables of this room's own: the guards' reading is not trusted here.

Hindi in Devanagari and in a second Latin spelling, English from parts.
"""

_DEVANAGARI = (
    "शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस "
    "बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस "
    "पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस "
    "सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ साठ इकसठ "
    "बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर "
    "छिहत्तर सतहत्तर अठहत्तर उन्यासी अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सतासी अट्ठासी नवासी "
    "नब्बे इक्यानवे बानवे तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे"
)
_HINDI = (
    "shunya ek do teen char panch chhah saat aath nau das gyara bara tera chauda pandra sola satra "
    "athara unnees bees ikkees baees teis chaubees pachees chhabbees sattaees atthaees unatees "
    "tees ikatees battees taintees chauntees paintees chhattees saintees adatees unatalees chalees "
    "iktalees bayalees taintalees chavalees paintalees chhiyalees saintalees adatalees unachas "
    "pachas ikyavan bavan tirpan chauvan pachpan chhappan sattavan atthavan unsath saath iksath "
    "basath tirsath chaunsath painsath chhiyasath sadsath adsath unhattar sattar ikhattar bahattar "
    "tihattar chauhattar pachhattar chhihattar satahattar athahattar unasi assi ikyasi bayasi "
    "tirasi chaurasi pachasi chhiyasi satasi atthasi navasi nabbe ikyanve banve tiranve chauranve "
    "pachanve chhiyanve sattanve atthanve ninyanve"
)
_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"

DEVANAGARI, HINDI, ENGLISH = _DEVANAGARI.split(), _HINDI.split(), _ENGLISH.split()
TENS = _TENS.split()

SCALES = {
    "english": ((100_000, "lakh"), (1_000, "thousand"), (100, "hundred")),
    "hindi": ((100_000, "lakh"), (1_000, "hajar"), (100, "sau")),
    "devanagari": ((100_000, "लाख"), (1_000, "हज़ार"), (100, "सौ")),
}
HALF = {"hindi": "saadhe", "devanagari": "साढ़े"}
"""Half of a scale more: said before the number of scales, from three on."""


def in_words(number: int, language: str) -> str:
    """Write a whole number of 0 up to 9,999,999 in words.

    Args:
        number: what to write.
        language: english, hindi (Latin script) or devanagari.

    >>> in_words(34_500, "english"), in_words(850, "hindi")
    ('thirty four thousand five hundred', 'aath sau pachas')
    """
    if number < 100:
        return _small(number, language)
    scale, name = next(row for row in SCALES[language] if number >= row[0])
    count, rest = divmod(number, scale)
    head = f"{in_words(count, language)} {name}"
    return f"{head} {in_words(rest, language)}" if rest else head


def with_a_half(number: int, language: str) -> str:
    """Write "saadhe chauntees hajar" for 34,500; other numbers as ``in_words`` does."""
    for scale, name in SCALES[language]:
        count, rest = divmod(number, scale)
        if count > 2 and 2 * rest == scale and language in HALF:
            return f"{HALF[language]} {in_words(count, language)} {name}"
    return in_words(number, language)


def digit_by_digit(number: int, language: str) -> str:
    """Write the digits one after the other in words."""
    return " ".join(_small(int(digit), language) for digit in str(number))


def _small(number: int, language: str) -> str:
    if language == "devanagari":
        return DEVANAGARI[number]
    if language == "hindi":
        return HINDI[number]
    if number < 20:
        return ENGLISH[number]
    tens, unit = divmod(number, 10)
    return TENS[tens - 2] + (f" {ENGLISH[unit]}" if unit else "")
