"""Hindi number words in Latin script, 1 to 99, in the spellings people type."""

import re

_ONE_TO_NINETY_NINE = """
ek एक | do दो | teen तीन | chaar char चार | paanch panch pach पांच पाँच |
chhe che chhah chhai छह छः | saat सात | aath ath आठ | nau nao नौ | das dus दस |
gyarah gyara gyaarah ग्यारह | barah bara baarah बारह | terah तेरह |
chaudah choudah chauda चौदह | pandrah pandra pandhra pandarah पंद्रह पन्द्रह | solah sola सोलह |
satrah satra sattrah sattra सत्रह | atharah athara अठारह | unnis unees उन्नीस | bees bis बीस |
ikkis ikkees इक्कीस | bais baees बाईस | teis teyis तेईस | chaubis chaubees चौबीस |
pachis pachchis pacchis pachees पच्चीस | chhabbis chabbis छब्बीस | sattais sattaees सत्ताईस |
atthais athais अट्ठाईस | untis unatis उनतीस | tees तीस | ikattis iktis इकतीस |
battis battees बत्तीस | taintis tentis तैंतीस | chauntis chautis चौंतीस |
paintis pentis paintees पैंतीस | chhattis chattis छत्तीस | saintis सैंतीस | adtis artis अडतीस |
untalis untaalis उनतालीस | chalis chaalis challis chalees चालीस | iktalis इकतालीस |
bayalis biyalis बयालीस | taintalis तैंतालीस | chauvalis chawalis चौवालीस |
paintalis pentalis पैंतालीस | chhiyalis छियालीस | saintalis सैंतालीस | adtalis artalis अडतालीस |
unchas उनचास | pachas pachaas pachhas pachaass पचास | ikyavan ikyawan इक्यावन |
bavan bawan बावन | tirpan तिरपन | chauvan chawan चौवन | pachpan पचपन | chhappan chappan छप्पन |
sattavan सत्तावन | atthavan athavan अट्ठावन | unsath उनसठ | saath sath साठ | iksath इकसठ |
basath बासठ | tirsath तिरसठ | chaunsath चौंसठ | painsath pensath पैंसठ | chhiyasath छियासठ |
sadsath sarsath सडसठ | adsath arsath अडसठ | unhattar उनहत्तर | sattar satar सत्तर |
ikhattar इकहत्तर | bahattar बहत्तर | tihattar तिहत्तर | chauhattar चौहत्तर |
pachhattar pachattar pichattar पचहत्तर | chhihattar छिहत्तर | satattar satahattar सतहत्तर |
athattar athahattar अठहत्तर | unasi unnasi उन्यासी | assi अस्सी | ikyasi इक्यासी |
bayasi बयासी | tirasi तिरासी | chaurasi चौरासी | pachasi pichasi पचासी | chhiyasi छियासी |
sattasi सत्तासी | atthasi अट्ठासी | navasi नवासी | nabbe nabbey nabe navve नब्बे |
ikyanve इक्यानवे | banve बानवे | tiranve तिरानवे | chauranve चौरानवे |
pachanve panchanve pachaanve पंचानवे | chhiyanve छियानवे | sattanve सत्तानवे |
atthanve अट्ठानवे | ninyanve ninyaanve निन्यानवे
"""

NUMBERS = {
    word: value
    for value, spellings in enumerate(_ONE_TO_NINETY_NINE.split("|"), start=1)
    for word in spellings.split()
}
"""Each spelling with its value 1..99. "tera" is left out: it says "yours"."""

ALSO_WORDS = frozenset(
    {"ek", "do", "teen", "das", "nau", "saath", "sath", "bara", "sola", "दो", "एक"}
)
"""Numbers that are other words too ("de do", "mere saath"): read as numbers only before a scale."""

SCALES = {
    "sau": 100, "सौ": 100, "hazaar": 1000, "hazar": 1000, "hajar": 1000, "hajaar": 1000,
    "hzar": 1000, "हजार": 1000, "lakh": 100_000, "lac": 100_000, "lacs": 100_000,
    "lakhs": 100_000, "लाख": 100_000,
    "crore": 10_000_000, "crores": 10_000_000, "karod": 10_000_000, "cr": 10_000_000,
    "करोड": 10_000_000,
}  # fmt: skip
"""Words that multiply what stands before them; alone they are one of themselves (sau: 100)."""

FIXED = {
    "dhai": 2.5, "dhaai": 2.5, "adhai": 2.5, "dhayi": 2.5, "ढाई": 2.5, "derh": 1.5, "dedh": 1.5,
    "deedh": 1.5, "dered": 1.5, "dedhh": 1.5, "डेढ": 1.5,
}  # fmt: skip
"""Two and a half, one and a half: always of a scale (dhai sau: 250)."""

QUARTERS = {
    "saadhe": 0.5, "sadhe": 0.5, "saade": 0.5, "saadh": 0.5, "साढे": 0.5, "sava": 0.25, "sawa": 0.25,
    "savaa": 0.25, "सवा": 0.25, "paune": -0.25, "pone": -0.25, "pauna": -0.25, "paun": -0.25,
    "पौने": -0.25,
}  # fmt: skip
"""What is added to the number behind (saadhe teen: 3.5); straight before a scale, to one."""

_LETTERS_TWICE = re.compile(r"(.)\1+")
LEAST_HEARD = 5
"""Shorter words are not recognised by sound: too many others are near."""


def heard(word: str) -> str | None:
    """Recognise a number word by its sound where its spelling is not in the tables.

    Long vowels and doubled letters are written in every possible way: "pacchees", "bayalees".

    >>> heard("bayalees"), heard("hazzaar"), heard("kharab")
    ('bayalis', 'hazar', None)
    """
    return _HEARD.get(_sound(word)) if len(word) >= LEAST_HEARD else None


def _sound(word: str) -> str:
    return _LETTERS_TWICE.sub(r"\1", word.replace("ee", "i").replace("oo", "u"))


_HEARD = {
    _sound(word): word
    for word in (*NUMBERS, *SCALES, *FIXED, *QUARTERS)
    if word.isascii() and len(word) >= LEAST_HEARD and word not in ALSO_WORDS
}
