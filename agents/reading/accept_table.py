"""Phrases by which a side takes the other's standing price, seems to, or does not."""

from typing import Literal

from agents.reading.spelling import word_set

Answer = Literal["yes", "maybe", "no"]

TABLE: tuple[tuple[str, Answer], ...] = (
    ("deal|done|sold|agreed|accepted|pakka|manzoor|fix", "yes"),
    ("its|it_is a? deal|done|yours|sold", "yes"),
    ("yours|all_yours", "yes"),
    ("aapka|tumhara|tera hua|ho_gaya", "yes"),
    ("i|we? accept|agree|take_it|will_take_it|ll_take_it", "yes"),
    ("ill|will take it|that|the_offer|your_offer|your_bid", "yes"),
    ("take it|this? away|home|now?", "yes"),
    (
        "le_lo|lelo|le_jao|lejao|le_ja|leja|lele|utha_lo|uthalo|le_lijiye|le_lena|rakh_lo|"
        "rakhlo",
        "yes",
    ),
    ("de_do|dedo paise|cash|payment|rupees", "yes"),
    (
        "haan|yes|yeah|yep|ji|ok|theek|chalo hai? ~ "
        "de_do|dedo|bhej_do|kar_do|kardo|done|deal|lo",
        "yes",
    ),
    ("deal|done kar|karo|karte|karta|kardo", "yes"),
    (
        "shake_hands|we_have_a_deal|you_have_a_deal|you_got_a_deal|got_yourself_a_deal|"
        "you_win",
        "yes",
    ),
    ("ho_gaya deal|sauda|final|pakka", "yes"),
    ("sauda|deal pakka|final|done|manzoor|ho_gaya", "yes"),
    ("final kar|karo|karte|kardo", "yes"),
    ("works|good|fine|ok for|by|with me", "yes"),
    ("works_for_me|sounds_good|thats_fine|that_works|fair_enough", "yes"),
    (
        "haan|yes|yeah|yep|ji|ok|theek_hai|theek|chalo|fine|alright|sure|acha|accha|hmm|"
        "sahi_hai|good|great|cool|bilkul|perfect",
        "maybe",
    ),
    (
        "@no ~ deal|done|sold|accept|accepted|agreed|take|agree|pakka|manzoor|fix|le_jao|"
        "lejao|yours",
        "no",
    ),
    ("@cannot ~ accept|take|agree|do_it|deal|sell|settle", "no"),
    ("deal|done|pakka|manzoor|sold|final|fix|yes|accept ~ @no", "no"),
    ("le_lo|lelo|le_jao|lejao|de|do|dedo ~ nahi|mat|na", "no"),
    ("nahi|mat ~ le_jao|lejao|le_lo|lelo|dunga|deta|de", "no"),
    (
        "kya|what|which|kaisa|kaisi|kaun|best|good|great|acha|accha|sasta|better|special|bad|"
        "fair ~ deal|sauda",
        "no",
    ),
    ("deal kya|kaise|of|nahi|breaker|with|karo_na", "no"),
    ("kya ~ pakka|done|manzoor", "no"),
    ("already|not|almost|kal|yesterday sold|done|agreed", "no"),
    ("sold|deal with|it_to|others|karna|karne|karni|in|last|yesterday", "no"),
    ("sold|take|give it? to|for another|other|someone|somebody|my|a|others", "no"),
    ("badhao|badha|increase|aur|raise|more ~ ~ done|deal|pakka|sold|final", "no"),
    (
        "when|kab|if|agar|jab|unless|until|before|once ~ ~ "
        "deal|done|sold|accept|agree|pakka|take",
        "no",
    ),
    ("le_lo|lelo|le_jao|lejao warna|varna|ya|to", "no"),
    ("want|need|like|dekho|do|make a|the|some? deal", "no"),
    ("done|tired|fed with|waiting|up|talking|bargaining", "no"),
    ("deal|done|sold|pakka|final|yours|accept if|agar|jab|when|only|par|but|lekin|magar", "no"),
    ("i|we? agree but|with|that|its", "no"),
    ("take it or", "no"),
    ("let_me|lets|will|ill|gotta think|see|ask|check|discuss", "no"),
    ("soch|sochta|sochke|dekhta|dekhte|puch|poochta hu|ke|lo|lete|raha", "no"),
)  # fmt: skip
"""yes: the bid is taken; maybe: it might be; no: it is not, though a word of the trade is there."""

BUYERS_TABLE: tuple[tuple[str, Answer], ...] = (
    ("le_lunga|le_lungi|le_lenge|le_liya|le_leta|le_leti|le_lete hu|hain?", "yes"),
    ("le lunga|lungi|lenge|liya|leta|leti|lete hu|hain?", "yes"),
    ("lunga|lungi|kharid|khareed lunga|lungi|liya|leta|leti", "yes"),
    ("pack|parcel kar|karo|kardo|karwa|kara do?", "yes"),
    ("i|ill|we|well will? take|buy|have it|this|them", "yes"),
    ("ship|send|wrap it", "yes"),
    ("@no ~ le_lunga|lunga|lungi|take|buy|pack", "no"),
    ("nahi|mat ~ le|lunga|lungi|lenge|leta|chahiye", "no"),
    ("lunga|lungi|lenge|leta nahi", "no"),
)
"""What only a buyer says to take the standing ask."""

TURNS = word_set("but par lekin magar however though if agar jab unless only_if kintu parantu")
"""Words that take an acceptance back: "ok but ..."."""

FILLERS = word_set("""
    bhai ji sir madam yaar boss dost friend uncle aunty didi dear beta beti behen
    bhaiya sahab saab hello hi then so to toh for at a the it is its that this mein pe par ka hai
    hi rupees only bas bhi na please
    thanks thank you shukriya dhanyavad final last price now ab aaj le lo lelo ja jao lejao de do
    dedo dena take give me and aur i im ill accept agree deal done sold pakka chalo ok theek haan
    yes yeah yep fine alright sure acha accha sahi hua ho gaya kar karo kardo karte hu yours
    manzoor fix settle close good great works chalega mujhe lets us let today cash lete accepted
    accepting have get come pick up collect uthao utha bring pay cash upi whenever anytime
    confirm se kam nahi my le_lunga lunga lungi leta liya lenge pack parcel buy ship send
    wrap mera offer your aapka bid lock great with can will do
""")
"""Words that change nothing: a price at the bid among them is an acceptance."""
