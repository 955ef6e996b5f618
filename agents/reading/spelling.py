"""One spelling for words that people write in many ways; the tables elsewhere use this one."""

import re

from agents.number_words import HINDI_SCALES, NUMBERS, heard
from agents.reading import devanagari
from agents.reading.transliteration import to_latin

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
    "deta": "deti dete",
    "dedo": "dedoo",
    "jao": "jaao jaiye jaiyega jana",
    "lelo": "leloo",
    "lejao": "lejaao lejaiye",
    "hu": "hoon hun hoo",
    "raha": "rha rahe rhe rahi rhi",
    "hoga": "hogaa hogi",
    "hua": "hui hue huwa",
    "gaya": "gya gayi gyi gaye",
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
    "chalo": "chlo chaloo chal chaliye",
    "aakhri": "akhri aakhiri akhiri aakhree aakri",
    "bilkul": "bilkool blkul",
    "koi": "koyi",
    "dusra": "doosra dusre doosre dusri doosri",
    "banda": "bande bandey bandaa bandhe",
    "grahak": "graahak",
    "samay": "samaye",
    "manzoor": "manjoor manzur manjur",
    "kya": "kyaa",
    "aapka": "apka aapki apki aapke apke",
    "aap": "ap",
    "mera": "meri mere",
    "bas": "bus",
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

_SPELLING = devanagari.WORDS | {
    variant: word for word, variants in _VARIANTS.items() for variant in variants.split()
}
_STRETCHED = re.compile(r"(.)\1{2,}")


def spell(word: str) -> str:
    """Give the one spelling of a lower-case word without apostrophes.

    >>> spell("nahin"), spell("jaldiiii"), spell("don't")
    ('nahi', 'jaldi', 'dont')
    """
    bare = word.replace("'", "")
    known = _SPELLING.get(bare)
    if known is not None:
        return known
    if bare in NUMBERS or bare in HINDI_SCALES:
        return bare
    bare = to_latin(bare) or bare
    bare = _SPELLING.get(bare, bare)
    if _STRETCHED.search(bare):
        bare = _STRETCHED.sub(r"\1", bare)
        bare = _SPELLING.get(bare, bare)
    return heard(bare) or bare


def word_set(words: str) -> frozenset[str]:
    """Make a set of words in their one spelling."""
    return frozenset(spell(word) for word in words.split())
