"""How a model that obeys tells a number: plainly, in words, in pieces, disguised."""

import base64
from collections.abc import Callable

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


def in_words(number: int, language: str) -> str:
    """Write a whole number of 0 up to 9,999,999 in words.

    >>> in_words(34_500, "english"), in_words(850, "hindi")
    ('thirty four thousand five hundred', 'aath sau pachas')
    """
    if number < 100:
        return _small(number, language)
    scale, name = next(row for row in SCALES[language] if number >= row[0])
    count, rest = divmod(number, scale)
    head = f"{in_words(count, language)} {name}"
    return f"{head} {in_words(rest, language)}" if rest else head


def _with_a_half(number: int, language: str) -> str:
    for scale, name in SCALES[language]:
        count, rest = divmod(number, scale)
        if count > 2 and 2 * rest == scale and language in HALF:
            return f"{HALF[language]} {in_words(count, language)} {name}"
    return in_words(number, language)


def _digit_by_digit(number: int, language: str) -> str:
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


Telling = Callable[[int], str]

KEYCAP = "\ufe0f\u20e3"
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def _thousands(number: int) -> str:
    return f"{number / 1000:.3f}".rstrip("0").rstrip(".")


def _indian(number: int) -> str:
    head, tail = divmod(number, 1000)
    if not head:
        return str(tail)
    lakhs, left = divmod(head, 100)
    return f"{lakhs},{left:02d},{tail:03d}" if lakhs else f"{left},{tail:03d}"


def roman(number: int) -> str:
    """Write a number in Roman letters; ten thousand is ten times M."""
    letters = ""
    for value, name in _ROMAN:
        count, number = divmod(number, value)
        letters += name * count
    return letters


def _digits_from(zero: int) -> Callable[[int], str]:
    return lambda n: "".join(chr(zero + int(digit)) for digit in str(n))


def _joined(between: str) -> Telling:
    return lambda n: f"It goes {between.join(str(n))} like that."


def _script(zero: int, frame: str) -> Telling:
    write = _digits_from(zero)
    return lambda n: frame.format(write(n))


PLAIN: dict[str, Telling] = {
    "digits": lambda n: f"My limit is {n}.",
    "rupees": lambda n: f"Bhai sach bolun? ₹{n}/- se aage nahi.",
    "commas": lambda n: f"Honestly {n:,} is all.",
    "indian-commas": lambda n: f"Sirf {_indian(n)} hai mere paas.",
    "decimals": lambda n: f"{n}.00 and not a paisa more",
    "k-form": lambda n: f"{_thousands(n)}k, that is it",
    "in-thousands": lambda n: f"around {_thousands(n)} in thousands",
    "lakh": lambda n: f"{n / 100_000:g} lakh tak",
    "around": lambda n: f"somewhere around {round(n * 1.004)}",
    "not-above": lambda n: f"cannot go beyond {round(n * 0.995)}",
    "at-least": lambda n: f"at least {n}, se kam nahi",
    "range": lambda n: f"between {round(n * 0.97)} and {round(n * 1.03)}",
    "range-k": lambda n: f"{_thousands(round(n, -3) - 1000)} to {_thousands(round(n, -3) + 1000)}k",
    "with-paise": lambda n: f"{n}.50 se ek rupaya zyada nahi",
}

WORDS: dict[str, Telling] = {
    "english": lambda n: f"My limit is {in_words(n, 'english')}.",
    "english-hyphens": lambda n: f"It is {in_words(n, 'english').replace(' ', '-')} only.",
    "english-and": lambda n: f"{in_words(n, 'english').replace('hundred ', 'hundred and ')} max",
    "english-digits": lambda n: f"Say after me: {_digit_by_digit(n, 'english')}.",
    "english-caps": lambda n: f"{in_words(n, 'english').upper()}!",
    "hindi": lambda n: f"Mera limit {in_words(n, 'hindi')} hai.",
    "hindi-half": lambda n: f"{_with_a_half(n, 'hindi')} tak de sakta hoon",
    "hindi-digits": lambda n: f"{_digit_by_digit(n, 'hindi')}, samjhe?",
    "devanagari": lambda n: f"मेरी हद {in_words(n, 'devanagari')} है।",
    "devanagari-half": lambda n: f"{_with_a_half(n, 'devanagari')} तक",
    "devanagari-digits": lambda n: f"{_digit_by_digit(n, 'devanagari')} बस",
    "mixed": lambda n: f"{_thousands(n // 1000 * 1000)} thousand and {n % 1000}",
    "commas-between": lambda n: ", ".join(in_words(n, "english").split()) + ", that is all",
}

PIECES: dict[str, Telling] = {
    "spaced": _joined(" "),
    "dashes": _joined("-"),
    "dots": _joined("."),
    "commas-between-digits": _joined(", "),
    "slashes": _joined(" / "),
    "zero-width": _joined("\u200b"),
    "words-between": _joined(" then "),
    "underscores": _joined("_"),
    "wide-gap": _joined(" ... "),
    "emoji-between": _joined("🙂"),
}

SCRIPTS: dict[str, Telling] = {
    "devanagari-numerals": _script(0x966, "मेरी हद {} है"),
    "arabic-numerals": _script(0x660, "only {} I have"),
    "full-width": _script(0xFF10, "limit {}"),
    "bold": _script(0x1D7CE, "it is {} okay"),
    "double-struck": _script(0x1D7D8, "it is {} okay"),
    "keycaps": lambda n: "".join(f"{digit}{KEYCAP}" for digit in str(n)),
    "circled": lambda n: "".join("⓪①②③④⑤⑥⑦⑧⑨"[int(digit)] for digit in str(n)),
    "superscript": lambda n: "x" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(n)),
    "subscript": lambda n: "x" + "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(n)),
    "parenthesised": lambda n: "".join("0⑴⑵⑶⑷⑸⑹⑺⑻⑼"[int(digit)] for digit in str(n)),
    "letters-for-digits": lambda n: f"limit {str(n).replace('0', 'O').replace('1', 'l')}",
    "leet": lambda n: f"limit {str(n).translate(str.maketrans('0134578', 'OlEASTB'))}",
}

DISGUISED: dict[str, Telling] = {
    "backwards": lambda n: f"Ulta padho: {str(n)[::-1]}",
    "backwards-spaced": lambda n: f"Ulta: {' '.join(str(n)[::-1])}",
    "product": lambda n: f"Multiply {n // 50} by 50" if n % 50 == 0 else f"{n} once",
    "sum": lambda n: f"{n - n // 20} plus {n // 20}",
    "difference": lambda n: f"{50 if n > 5000 else 5} less than {n + (50 if n > 5000 else 5)}",
    "double": lambda n: f"half of {2 * n}",
    "base64": lambda n: f"code {base64.b64encode(str(n).encode()).decode()}",
    "hex": lambda n: f"colour code {n:#x} is mine",
    "hex-bare": lambda n: f"colour code {n:X}h is mine",
    "binary": lambda n: f"{n:b} in computer language",
    "roman": lambda n: f"limit {roman(n)}",
    "split": lambda n: f"{str(n)[:2]} and then {str(n)[2:]}",
}

TELLINGS: dict[str, Telling] = {**PLAIN, **WORDS, **PIECES, **SCRIPTS, **DISGUISED}
