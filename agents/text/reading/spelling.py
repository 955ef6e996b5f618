"""One spelling for words that people write in many ways; the tables elsewhere use this one."""

import re

from bazaarbatna.lazily import kept
from bazaarbatna.number_words import (
    ENGLISH_SCALES,
    HINDI_SCALES,
    NUMBERS,
    TENS,
    UNITS,
    heard,
)

_CONSONANTS = {
    "क": "k", "ख": "kh", "ग": "g", "घ": "gh", "ङ": "n", "च": "ch", "छ": "chh", "ज": "j",
    "झ": "jh", "ञ": "n", "ट": "t", "ठ": "th", "ड": "d", "ढ": "dh", "ण": "n", "त": "t",
    "थ": "th", "द": "d", "ध": "dh", "न": "n", "प": "p", "फ": "f", "ब": "b", "भ": "bh",
    "म": "m", "य": "y", "र": "r", "ल": "l", "ळ": "l", "व": "w", "श": "sh", "ष": "sh",
    "स": "s", "ह": "h",
}  # fmt: skip
_VOWELS = {
    "अ": "a", "आ": "A", "इ": "i", "ई": "i", "उ": "u", "ऊ": "u", "ऋ": "ri", "ए": "e", "ऐ": "ai",
    "ओ": "o", "औ": "au", "ऑ": "o", "ऍ": "e",
}  # fmt: skip
_SIGNS = {
    "ा": "A", "ि": "i", "ी": "i", "ु": "u", "ू": "u", "ृ": "ri", "े": "e", "ै": "ai", "ो": "o",
    "ौ": "au", "ॉ": "o", "ॅ": "e",
}  # fmt: skip
_NASALS = {"ं": "n", "ँ": "n", "ः": "h"}
_SILENT = "\u094d"
"""The stroke below a consonant that takes its vowel away."""

_INHERENT = "@"
"""The short a that a bare consonant carries; it is spoken or not by its place."""

Sound = tuple[str, bool]


def to_latin(word: str) -> str | None:
    """Write a Devanagari word as people type it; None for other words.

    The short vowel of a bare consonant is dropped at the end and between a vowel and a consonant
    with one ("करता": karta), so is a nasal at the end ("परसों": parso); a long a is doubled in words
    of one syllable alone ("काम": kaam).

    >>> to_latin("दिमाग"), to_latin("निकलना"), to_latin("काम"), to_latin("kaam")
    ('dimag', 'nikalna', 'kaam', None)
    """
    sounds = _sounds(word)
    if sounds is None:
        return None
    spoken = _without_silent(sounds)
    if len(spoken) > 2 and word[-1] in _NASALS:
        spoken.pop()
    syllables = sum(vowel for _, vowel in spoken)
    ends_long = bool(spoken) and spoken[-1][0] == "A"
    long_a = "aa" if syllables == 1 and not ends_long else "a"
    text = "".join(letters for letters, _ in spoken).replace("A", long_a).replace(_INHERENT, "a")
    return "v" + text[1:] if text.startswith(("wi", "we")) else text


def _sounds(word: str) -> list[Sound] | None:
    sounds: list[Sound] = []
    for letter in word:
        if letter in _CONSONANTS:
            sounds += [(_CONSONANTS[letter], False), (_INHERENT, True)]
        elif letter in _VOWELS:
            sounds.append((_VOWELS[letter], True))
        elif letter in _NASALS:
            sounds.append((_NASALS[letter], False))
        elif letter in _SIGNS or letter == _SILENT:
            if not sounds or sounds[-1][0] != _INHERENT:
                return None
            sounds.pop()
            if letter in _SIGNS:
                sounds.append((_SIGNS[letter], True))
        else:
            return None
    return sounds


def _without_silent(sounds: list[Sound]) -> list[Sound]:
    kept = list(sounds)
    if len(kept) > 2 and kept[-1][0] == _INHERENT:
        kept.pop()
    place = len(kept) - 3
    while place >= 2:
        around = [kept[i][1] for i in (place - 2, place - 1, place + 1, place + 2)]
        if kept[place][0] == _INHERENT and around == [True, False, False, True]:
            del kept[place]
        place -= 1
    return kept


_PAIRS = """
तीन teen दो do चार chaar एक ek
मैं main मुझे mujhe मेरा mera मेरी mera मेरे mera आप aap आपका aapka आपके aapka आपको aapko
तुम tum हम hum और aur या ya से se तक tak का ka की ka के ka को ko में mein पर par पे pe तो to
भी bhi ही hi न na ना na मत mat नहीं nahi हां haan हाँ haan जी ji है hai हैं hai हूं hu हूँ hu
था tha थी thi थे the हो ho होगा hoga हुआ hua गया gaya गई gaya रहा raha रही raha रहे raha कर kar
करो karo करूंगा karunga दे de दो do दूंगा dunga दूँगा dunga देना dena दिया diya देता deta ले le
लो lo लेना lena लूंगा lunga जाओ jao जाइए jao जा ja आओ aao चलो chalo ठीक theek पक्का pakka
लिए liye लिये liye मंजूर manzoor सौदा sauda डील deal डन done कम kam ज्यादा zyada नीचे neeche
ऊपर upar बीच beech
आधा aadha आखिरी aakhri फाइनल final लास्ट last फिक्स fixed दाम price कीमत price रेट price
भाव price रुपये rupees रुपए rupees रुपया rupees रु rupees पैसे paise पैसा paise जरूरत zaroorat
नुकसान nuksan घाटा ghata जल्दी jaldi आज aaj कल kal अभी abhi अब ab दिन din साल saal महीने mahine
बार baar लोग log लोगों log ग्राहक grahak ऑफर offer ऑफर्स offers कोई koi दूसरा dusra दूसरे dusra
बहुत bahut थोडा thoda सिर्फ sirf बस bas क्या kya कितना kitna नया naya नयी nayi नई nayi नए naye
पुराना purana पुरानी purana टूटा tuta खराब kharab अच्छा accha अच्छी accha हालत halat इस्तेमाल use
खरोंच scratch भाई bhai देख dekh पूछ pooch बेचना bechna समय time टाइम time बर्बाद barbad
मजाक mazak पागल pagal शिफ्ट shift बढेगा badhega फीस fees
एवरेज average माइलेज mileage नंबर number नम्बर number साइज size स्टीकर sticker एमआरपी mrp
मैंने maine मैने maine बैटरी battery परसेंट percent मॉडल model जीबी gb टीबी tb केजी kg किमी km
किलोमीटर km लीटर litre स्टार star ओनर owner मिनट minute वैलिड valid वारंटी warranty टोकन token
बयाना bayana
"""

WORDS = dict(zip(_PAIRS.split()[::2], _PAIRS.split()[1::2], strict=True))


_VARIANTS = {
    "nahi": "nahin nahii nai nhi nahee nahe nehi nhin naa",
    "haan": "han haa haanji hanji haanjee",
    "hai": "h hain hein hei hae",
    "mein": "me mai may mei",
    "theek": "thik theak thk tik teek thek",
    "kam": "kum kamm",
    "kar": "kr",
    "karo": "kro",
    "karta": "krta kartha",
    "karunga": "karoonga krunga karungi karoongi",
    "kardo": "krdo kardoo",
    "dunga": "doonga dungaa doongi dungi",
    "deta": "deti dete deto",
    "dedo": "dedoo",
    "jao": "jaao jaiye jaiyega jana",
    "lelo": "leloo",
    "lejao": "lejaao lejaiye",
    "hu": "hoon hun hoo",
    "raha": "rha rahe rhe rahi rhi",
    "hoga": "hogaa hogi",
    "hua": "hui hue huwa",
    "gaya": "gya gayi gyi gaye gae gai",
    "jeet": "jit",
    "jeeti": "jiti",
    "jeete": "jite",
    "bhai": "bhaiya bhaiyya bhaii bro bhaisahab bhaisaab",
    "ji": "jee",
    "sirf": "siraf srif",
    "teen": "tin teeen",
    "log": "logon logo loag",
    "neeche": "niche neche neechey nichay",
    "beech": "bich beach",
    "aadha": "adha aadhe adhe aadhaa aadhi",
    "pakka": "paka pakkaa",
    "jaldi": "jaldee jldi",
    "paise": "paisa paisay",
    "zaroorat": "zarurat jarurat jaroorat zaroorath",
    "nuksan": "nuksaan nukasan nuqsan",
    "ghata": "ghaata",
    "aaj": "aj",
    "kal": "kl",
    "abhi": "abi",
    "khareeda": "kharida khareedi kharidi khareedha kharidha",
    "liya": "lia liyaa li",
    "bola": "bolaa boli bole bol",
    "chalo": "chlo chaloo chal chaliye chalie",
    "dijiye": "dijie deejiye dijiyega",
    "lijiye": "lijie leejiye lijiyega",
    "samjho": "samajho samjhiye samajhiye samjhie samajhie",
    "accha": "achha acchaa achchha",
    "aakhri": "akhri aakhiri akhiri aakhree aakri",
    "bilkul": "bilkool blkul",
    "koi": "koyi",
    "kuch": "kuchh kch",
    "dusra": "doosra dusre doosre dusri doosri",
    "banda": "bande bandey bandaa bandhe",
    "grahak": "graahak",
    "samay": "samaye",
    "manzoor": "manjoor manzur manjur",
    "kya": "kyaa",
    "aapka": "apka aapki apki aapke apke",
    "aap": "ap",
    "mera": "meri mere",
    "tumhara": "tumhari tumhare",
    "tera": "teri tere",
    "hamara": "hamari hamare humara humari humare",
    "wahi": "vahi wohi vohi",
    "bas": "bus bs",
    "please": "pls plz plzz",
    "ok": "okay okk okey oky okie kk",
    "dont": "donot",
    "cant": "cannot",
    "you": "u yu",
    "your": "ur",
    "thanks": "thx tysm",
    "offers": "ofers offerss",
    "urgent": "urgnt urjent argent",
    "condition": "conditon condishan condisn",
    "rupees": (
        "rs re rupee rupaye rupay rupya rupaya rupiye rupiya rupess inr ₹ $ € £  bucks rups"
    ),
    "dollars": "usd dollar",
    "tak": "tk",
    "percent": "pct prcnt parcent",
    "kasam": "qasam ksm kasm",
    "ghisa": "ghisi ghise",
    "tameez": "tamiz tamij tameej tehzeeb tamees",
    "tomorrow": "tmrw tmr tmrrw tomorow tommorow tommorrow 2moro",
    "people": "ppl peeps ppls",
    "sharam": "sharm sharma_karo",
    "mazak": "mazaak majak majaak mazaq",
    "bakwas": "bakwaas bakvas bakwass",
    "dimaag": "dimag demag dimaagh",
    "warna": "varna vrna wrna",
    "isse": "iss_se",
    "ka": "ki ke",
    "final": "finl fainal",
    "last": "lst",
    "price": "prise prce rate daam dam keemat kimat qeemat bhaav bhav",
}

_SPELLING = WORDS | {
    variant: word for word, variants in _VARIANTS.items() for variant in variants.split()
}
_DEVANAGARI = re.compile("[\u0900-\u097f]+")
_STRETCHED = re.compile(r"(.)\1{2,}")


_ENGLISH = frozenset(word for word in (*UNITS, *TENS, *ENGLISH_SCALES) if not word.isascii())
"""English numbers in Devanagari letters: फाइव हंड्रेड."""


@kept(8192)
def spell(word: str) -> str:
    """Return the one spelling of a lower-case word without apostrophes.

    >>> spell("nahin"), spell("jaldiiii"), spell("don't")
    ('nahi', 'jaldi', 'dont')
    """
    bare = word.replace("'", "")
    known = _SPELLING.get(bare)
    if known is not None:
        return known
    if bare in NUMBERS or bare in HINDI_SCALES or bare in _ENGLISH:
        return bare
    bare = _DEVANAGARI.sub(lambda run: to_latin(run[0]) or run[0], bare)
    bare = _SPELLING.get(bare, bare)
    if _STRETCHED.search(bare):
        bare = _STRETCHED.sub(r"\1", bare)
        bare = _SPELLING.get(bare, bare)
    return heard(bare) or bare


def word_set(words: str) -> frozenset[str]:
    """Make a set of words in their one spelling."""
    return frozenset(spell(word) for word in words.split())
