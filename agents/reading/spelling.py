"""One spelling for words that people write in many ways; the tables elsewhere use this one."""

import re

_VARIANTS = {
    "nahi": "nahin nahii nai nhi nahee nahe nehi nhin naa नहीं नही",
    "na": "ना",
    "haan": "han haa haanji hanji haanjee हां हाँ",
    "hai": "h hain hein hei hae है हैं",
    "mein": "me mai may mei में मे",
    "theek": "thik theak thk tik teek thek ठीक",
    "kam": "kum kamm कम",
    "kar": "kr कर",
    "karo": "kro करो",
    "karta": "krta kartha",
    "karunga": "karoonga krunga karungi karoongi",
    "kardo": "krdo kardoo",
    "de": "दे",
    "dunga": "doonga dungaa doongi dungi",
    "deta": "deti dete",
    "dedo": "dedoo",
    "le": "ले",
    "lo": "लो",
    "jao": "jaao jaiye jaiyega jana जाओ जाइए",
    "lelo": "leloo",
    "lejao": "lejaao lejaiye",
    "hu": "hoon hun hoo हूं हूँ",
    "raha": "rha rahe rhe rahi rhi",
    "hoga": "hogaa hogi होगा",
    "hua": "hui hue huwa",
    "gaya": "gya gayi gyi gaye",
    "bhai": "bhaiya bhaiyya bhaii bro bhaisahab bhaisaab भाई",
    "ji": "jee जी",
    "sirf": "siraf srif सिर्फ",
    "aur": "और",
    "teen": "tin teeen",
    "log": "logon logo loag लोग",
    "neeche": "niche neche neechey nichay नीचे",
    "beech": "bich beach बीच",
    "aadha": "adha aadhe adhe aadhaa aadhi आधा आधे",
    "pakka": "paka pakkaa पक्का",
    "jaldi": "jaldee jldi जल्दी",
    "paise": "paisa paisay पैसे पैसा",
    "zaroorat": "zarurat jarurat jaroorat zaroorath जरूरत",
    "nuksan": "nuksaan nukasan nuqsan नुकसान",
    "ghata": "ghaata घाटा",
    "aaj": "aj आज",
    "kal": "kl कल",
    "abhi": "abi अभी",
    "ab": "अब",
    "khareeda": "kharida khareedi kharidi khareedha kharidha",
    "liya": "lia liyaa li",
    "bola": "bolaa boli bole bol",
    "chalo": "chlo chaloo chal chaliye चलो",
    "aakhri": "akhri aakhiri akhiri aakhree aakri आखिरी",
    "bilkul": "bilkool blkul बिल्कुल",
    "koi": "koyi कोई",
    "ek": "एक",
    "dusra": "doosra dusre doosre dusri doosri",
    "banda": "bande bandey bandaa bandhe",
    "grahak": "graahak ग्राहक",
    "samay": "samaye",
    "manzoor": "manjoor manzur manjur",
    "kya": "kyaa क्या",
    "mat": "मत",
    "aapka": "apka aapki apki aapke apke",
    "aap": "ap आप",
    "tum": "तुम",
    "main": "मैं",
    "mera": "meri mere मेरा मेरी",
    "bas": "bus बस",
    "please": "pls plz plzz",
    "ok": "okay okk okey oky okie kk ओके",
    "dont": "donot",
    "cant": "cannot",
    "you": "u yu",
    "your": "ur",
    "thanks": "thx tysm",
    "offers": "ofers offerss",
    "urgent": "urgnt urjent argent",
    "condition": "conditon condishan condisn",
    "rupees": (
        "rs re rupee rupaye rupay rupya rupaya rupiye rupiya rupess inr ₹ $ € £ "
        "रुपये रुपए रुपया रु bucks rups"
    ),
    "dollars": "usd dollar",
    "se": "से",
    "tak": "tk तक",
    "ka": "ki ke का की के",
    "final": "finl fainal फाइनल",
    "last": "lst लास्ट",
    "price": "prise prce rate daam dam keemat kimat qeemat bhaav bhav दाम कीमत",
}

_SPELLING = {variant: word for word, variants in _VARIANTS.items() for variant in variants.split()}
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
    if _STRETCHED.search(bare):
        bare = _STRETCHED.sub(r"\1", bare)
        return _SPELLING.get(bare, bare)
    return bare


def word_set(words: str) -> frozenset[str]:
    """Make a set of words in their one spelling."""
    return frozenset(spell(word) for word in words.split())
