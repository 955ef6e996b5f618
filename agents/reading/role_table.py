"""What an amount is there for, told by the words around it: a table of phrases.

``#`` is the amount. The phrase with the most words that say something decides; of two equal ones
the earlier in the table; "hint" and "bare" only where nothing else speaks.
"""

from typing import Literal

Role = Literal[
    "floor", "final", "named", "hint", "bare", "refused", "old", "rival", "later", "aside",
    "counted", "off", "more", "either", "year",
]  # fmt: skip
"""floor: the least the seller takes; final: called final; named: called the price; hint: probably
the price; bare: no word tells; refused: a price the seller turns down; old: the ask before; rival:
what somebody else pays; later: of another day, or "otherwise"; aside: another sum (paid, market,
loss, delivery); counted: people, days, pieces, units; off: taken off the ask; more: put on the bid;
either: one end of a range; year: counted if it looks like a year, else bare."""

PRICES: tuple[tuple[str, Role], ...] = (
    ("# se|ka ~ @below ~ @no", "floor"),
    ("# se|ka ek|one? rupees|paise ~ @below ~ @no", "floor"),
    ("# se|ka ~ @below kya|kaise|kyu|kaha|impossible|mushkil", "floor"),
    ("# se|ka @no @below", "floor"),
    ("# @no @below|discount|bargain|bargaining|negotiation|haggling|negotiable", "floor"),
    ("# and|or|aur nothing|not|no @below", "floor"),
    ("@no|nothing|neither ~ below|under|less_than|lower_than|beneath #", "floor"),
    ("@cannot ~ ~ below|under|less_than|lower_than|beneath #", "floor"),
    ("below|under|less_than|lower_than # ~ @no|@cannot", "floor"),
    ("no|not|nothing less_than|lower_than|below|under #", "floor"),
    ("kam_se_kam|at_least|atleast|minimum|min|minm|at_minimum # @give?", "floor"),
    (
        "# "
        "minimum|min|kam_se_kam|at_least|atleast|or_above|or_more|or_higher|and_above|ya_upar",
        "floor",
    ),
    ("above|over|more_than|upwards_of #", "floor"),
    ("# se upar|zyada|jyada", "floor"),
    ("# nahi to|toh|warna|varna", "floor"),
    ("# @final nahi to|toh", "final"),
    ("# ya|or bye|kuch_nahi|nothing|jao|leave|rehne", "floor"),
    ("@final|best ~ #", "final"),
    ("@final|best|my|mera|asking|selling price|offer|rate|quote|ask|bid|amount ~ #", "final"),
    ("# ~ @final|pakka|bas", "final"),
    ("# is|hai my|mera ~ price|final|last|best|limit|bottom|ask", "final"),
    ("# my|mera? best|last|final|lowest|bottom|limit", "final"),
    ("ab|now|abhi|instead|aapke_liye|for_you|special ~ #", "final"),
    ("# ab|now|for_you|aapke_liye|instead|chalega|works", "final"),
    ("# mein|pe|par|at ~ done|pakka|deal|sold|@final", "final"),
    ("# aur le_jao|lejao|le_lo|lelo|uthao|take", "final"),
    ("# rather_than|instead_of #", "final"),
    ("# done|deal|sold|pakka", "final"),
    ("done|deal|sold|pakka|settle|close|lock it|at|for|mein|pe|hai|ji ~ #", "final"),
    ("price|offer|quote|ask ~ #", "named"),
    ("my|mera|i|main ~ offer|price|ask|quote ~ #", "named"),
    ("new|naya|revised|updated price|rate|offer|ask ~ #", "named"),
    (
        "reduce|reduced|drop|come|came|down|lower|lowered|go|going|kam|gira ~ "
        "to|till|upto|tak #",
        "named",
    ),
    ("kam kar|karke|karo|karta|kiya|karka ~ #", "named"),
    ("# tak", "named"),
    ("# tak kam kar|karke|aa|de|karunga|karta ~", "named"),
    ("# mein|pe|par hi|hee|bhi", "named"),
    ("# @fees|@goods free|included|inclusive", "named"),
    ("# with|including|incl|ka_saath ~ @fees|@goods", "named"),
    ("give|gimme|pay|do|make|take|send|bring|want|need it|me|mein? for|at? #", "hint"),
    ("i|ill|im|main|we|can|will|could|would|say|go|at|for|to|hai ~ #", "hint"),
    ("# mein|pe|par|ka|ko|hi ~ @give", "hint"),
    ("# mein|pe|par? ~ le_lo|lelo|le_jao|lejao|le_lena|utha_lo|take|loge", "hint"),
    ("# @give", "hint"),
    ("# mein|tak|pe? ho_jayega|hojayega|ho_payega|chalega|milega kya|na", "named"),
)  # fmt: skip
"""Phrases that name the seller's price."""

REFUSALS: tuple[tuple[str, Role], ...] = (
    ("# mein|pe|par|ka|ko ~ @no", "refused"),
    (
        "# rupees? mein|pe|par|ka|ko|to? ~ @no|mushkil|impossible ~ "
        "@give|hoga|milega|possible|banta|bikega",
        "refused",
    ),
    ("# to? nahi|nope|na|impossible|mushkil", "refused"),
    ("# no|not $", "refused"),
    ("# no #", "refused"),
    ("# is|hai ~ not|no|impossible", "refused"),
    ("# not possible|enough|acceptable|happening|ok|okay|workable", "refused"),
    ("# doesnt|wont|isnt|cant|cannot|never", "refused"),
    ("not|isnt #", "refused"),
    ("why|kyu|kyun|how_come ~ #", "refused"),
    ("better|more|higher than ~ # $", "refused"),
    ("# mein|pe|par|ka to? kaise|kyu|kyun|kaun|why|how", "refused"),
    ("@cannot ~ ~ #", "refused"),
    ("# is|are|hai|seems|looks? ~ @very ~ @little", "refused"),
    ("# is|are @little|joke|insulting|ridiculous|robbery|peanuts|insult", "refused"),
    ("# ~ joke|insult|mazak|peanuts|ridiculous|robbery", "refused"),
    ("# kam hai|lag|laga|pad|padega|rahega|hi|bol", "refused"),
    ("# mein ~ @loss", "refused"),
    ("# mein # ka|rupees? @loss", "refused"),
    ("# sunke|bolke|jaise|kyu|kyun|why|kaise|kaun", "refused"),
    (
        "you|aap|tum|tu|sauda said|say|saying|bol|bola|kaha|offer|offered|offering|keh|want "
        "~ #",
        "refused",
    ),
    ("you|aap|tum|tu # ~ i|main|mein|mera|my", "refused"),
    ("agar|if ~ # tak|pe|par|mein aa|a|aajao|aao|aate|come", "refused"),
    ("agar|if|jab you|u|aap|tum|tu # do|doge|dogi|de_do|dijiye|dete to? ~ i|main|mein", "named"),
    ("you|aap|tum|tu ~ # bol|keh|de|laga|dene|bola|mein raha|ho|hai|maang", "refused"),
    ("your|aapka|tumhara|tera|uska|sauda offer|bid|price|number|rate? ~ #", "refused"),
    ("sirf|only|just|itna # kya|ka|mein|bas", "refused"),
)  # fmt: skip
"""Phrases that turn a price down."""

OTHER_SUMS: tuple[tuple[str, Role], ...] = (
    ("was|tha|earlier|before|originally|usually|normally|pehle|first|initially ~ #", "old"),
    ("# tha|thi|before|earlier|pehle|originally", "old"),
    ("# bola|kaha|said|asked|listed|manga|likha tha|thi|before|earlier", "old"),
    ("instead_of|rather_than|not_from|ki_jagah|listed_at|listed_for|posted_at|down_from #", "old"),
    ("# likha|listed|written|posted ~ hai|tha|thi|but|par", "old"),
    ("# ka jagah|badle", "old"),
    ("@other ~ ~ @bidding ~ #", "rival"),
    ("@rival ~ @wanting|@bidding ~ #", "rival"),
    ("@other ~ ~ # @bidding|mein|ka|tak", "rival"),
    ("@other ~ ~ # mein|ka|pe|tak|bhi? ~ @bidding|taiyar|le", "rival"),
    (
        "got|have|mila|had|received|another|dusra|getting|rejected|refused ~ ~ "
        "offer|offers|bid|deal of|for|at? #",
        "rival",
    ),
    ("offer|bid|offers of|for|at # from|by", "rival"),
    ("# ka offer|offers|customer|buyer|banda|grahak|call", "rival"),
    ("# offer|bid ~ from|by|mila|aaya|hai|already", "rival"),
    ("# de|bol|mein|dene|offer|le ~ raha|ko|taiyar hai|taiyar|ready|the", "rival"),
    ("# from ~ @other", "rival"),
    ("# ka? mil|milta|milti raha|hai", "rival"),
    ("# mein ~ le|maang raha hai?", "rival"),
    ("bought|purchased|paid|spent|invested|kharcha|liya|khareeda|got ~ ~ #", "aside"),
    (
        "# mein|ka|ko ~ "
        "liya|khareeda|aaya|aata|aati|milta|mila|milti|pada|padta|laga|aayega|milega",
        "aside",
    ),
    ("# liya|khareeda|kharch|kharcha|spent|invested", "aside"),
    ("@market ~ ~ #", "aside"),
    ("@market price|rate|cost ~ #", "aside"),
    ("# ka? @market", "aside"),
    ("# in|on|at @market", "aside"),
    ("# in|at|on the? stores|shops|showrooms|websites|malls", "aside"),
    ("# ka|mein hai|aata|milta naya|new|brand_new", "aside"),
    ("cost price ~ ~ #", "aside"),
    ("my|mera|apna cost|purchase|khareed|landing price? hai|is|was|tha? #", "aside"),
    ("# diye|diya|di tha|the|thi", "aside"),
    ("# ~ mera|my|apna cost|khareed|purchase", "aside"),
    ("# mein|ka ~ ~ khareeda", "aside"),
    ("worth|value|valued|costs_me|cost_me|my_cost|emi|rent|salary|fees|fee ~ ~ #", "aside"),
    ("@loss of|ka|hai|by|mein? ~ #", "aside"),
    ("# ka|rupees|ki? @loss|kharcha", "aside"),
    ("@fees ~ ~ #", "aside"),
    ("# extra? for? @fees", "aside"),
    ("@goods worth|extra|alag|separate|costs ~ #", "aside"),
    ("@goods ka|for #", "aside"),
    ("# extra|more|alag for|ka? @goods", "aside"),
    ("@laterday ~ ~ #", "later"),
    ("or_else|else|nahi_to|next_week|next_month ~ ~ #", "later"),
    ("# ~ kal|tomorrow|from_tomorrow|ho_jayega|hojayega|ho_jaega|next_week", "later"),
)  # fmt: skip
"""Phrases that speak of money, but not of the seller's price."""

CHANGES: tuple[tuple[str, Role], ...] = (
    ("# off|less|discount|reduction|down|neeche|minus|cheaper|kam|ghata", "off"),
    ("# ka|percent|ki discount|off|reduction|fark|difference", "off"),
    ("# aur|more|percent kam|less|off|neeche|down", "off"),
    ("# kam @offaction", "off"),
    ("# main? ghatata|ghatati|ghataunga|ghataungi|utarta|utarti|utrunga|utarunga", "off"),
    ("# aur kam @offaction", "off"),
    ("# percent kam|off|less|discount|down", "off"),
    ("# tod|chhod|chod|hata|ghata|gira|choot @offaction|raha|diya", "off"),
    ("@cut by|of|another|off|only|sirf|further? #", "off"),
    ("@cut it|this|that|price|my by #", "off"),
    ("aapke_liye|for_you|tumhare_liye ~ # kam|less|off|discount", "off"),
    ("@cut # for_you|aapke_liye|for_u|only|from_my_side", "off"),
    ("@cut it|this|that|my? price|it? by # for_you|only", "off"),
    ("# aur|more|extra|zyada|jyada|upar|badha|add", "more"),
    ("# aur|more|extra|zyada|jyada|upar|badha|add @give|badha|badhao|daal|dalo|jod|add", "more"),
    ("aur|more # @give|badha|badhao|more|daal|dalo|jod|add", "more"),
    ("came|come|coming|go|going|gone down|neeche ~ #", "off"),
    ("add|increase|raise|badhao|badha|badhaiye|plus it|by|me|another|your|bid|of? ~ #", "more"),
    ("# badhao|badha|badhaiye|jodo", "more"),
    ("come|go up by? #", "more"),
)  # fmt: skip
"""Phrases that move a standing price."""

COUNTS: tuple[tuple[str, Role], ...] = (
    ("# @people|@time|@unit", "counted"),
    (
        "# other|more|aur|extra|different|serious|genuine|interested|good|full|whole|new|to|"
        "or|ya|real|alag|aur_bhi @people|@time|@unit",
        "counted",
    ),
    (
        "# other|more|aur|extra serious|genuine|interested|different|good|real|alag "
        "@people|@time|@unit",
        "counted",
    ),
    ("# to|or|ya|se|and? # other|more|aur? @people|@time|@unit", "counted"),
    ("# min mein|late|wait|ruko|away|aur|more|door", "counted"),
    ("# minute|mins ~ @give", "counted"),
    (
        "call|ring|phone|text|reach|available|free|home ~ ~ at|after|before|till|from #",
        "counted",
    ),
    ("# ka|ki|mein|se model|edition|manufactured|made|batch", "counted"),
    ("@label|after #", "counted"),
    ("# ka hai|wala", "year"),
    ("in|since|year|from #", "year"),
    ("# mein|se? hai|le_li|launch|release|launched", "year"),
    (
        "iphone|galaxy|oneplus|pixel|redmi|macbook|ipad|realme|poco "
        "pro|air|note|mini|plus|ultra #",
        "counted",
    ),
    ("page|room|house|flat|plot|shop|phone|mobile|model|order|contact no|number|num #", "counted"),
    ("# hua|ho_gaya|bhi_nahi_hua purana|old", "counted"),
    ("# purana|old|used", "counted"),
)  # fmt: skip
"""Phrases in which the number is no sum of money."""

CORRECTIONS: tuple[tuple[str, Role], ...] = (
    (
        "# no|nahi|sorry|oops|matlab|wait|ruko|actually|correction|typo|mistake|galti|arre|i_mean|"
        "rather|make_it ~ ~ #",
        "refused",
    ),
    ("# ko # kar|karo|kiya|kardo|samjho|samajh|kijiye", "refused"),
    ("# galat|galti|wrong likh|likha|bola|type|typed ~ #", "refused"),
    ("# was|is|tha|thi a|by|ek|galti|galat? typo|mistake|wrong|slip|galti|galat|se ~ #", "refused"),
    ("galti_se|by_mistake|mistakenly|wrongly ~ # ~ ~ #", "refused"),
    ("# not # i_said|maine_bola", "bare"),
    ("# with|without|if|for ~ ~ # with|without|if|for", "either"),
    ("saath|bina # ~ ~ saath|bina #", "either"),
    ("pickup|pick_up|collect # ~ delivery|delivered|shipping|ship|courier #", "either"),
    ("bina|with|without ~ # bina|with|without ~ #", "either"),
    ("# bina ~ # ke_saath|saath", "either"),
)
"""Phrases that take a price back; they may reach over a pause ("170... sorry 165")."""

CHOICES: tuple[tuple[str, Role], ...] = (
    ("# to|se|ya|or|till|upto|either #", "either"),
    ("between|beech|somewhere|from ~ # and|aur|to|se|ya|till #", "either"),
    ("# aur|and # ka|between|mein? beech", "either"),
    ("# se # ka|tak|between|mein? beech?", "either"),
)  # fmt: skip
"""Phrases that leave the choice between two prices."""

TABLE = PRICES + REFUSALS + OTHER_SUMS + CHANGES + COUNTS + CHOICES
