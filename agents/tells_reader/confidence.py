"""Words that hold a price, and words that let it slip."""

from agents.tells_reader.cue import quiet, rows

CONFIDENCE = (
    *rows("confidence", 0.9, "You name a floor: you sound sure of your price.", """
        # se|ka ~ @below ~ nahi|na|mat
        # se|ka nahi @below
        not|nothing|never|no|cant|dont|wont ~ ~ below|under|less_than|lower_than|beneath #
        below|under|less_than # ~ no|not|nahi|never|impossible|wont|cant
        kam_se_kam|at_least|atleast|minimum #
        # minimum|at_least|kam_se_kam
        # no|not less|lower|below
        isse|is_se|us_se|usse ~ @below ~ nahi|na|mat|mein
        cant|dont|wont|not|never|cannot go|come|do|reduce|drop|sell ~ \
            lower|below|less|down|further|cheaper|more|that
        aur|zyada kam nahi|na
        not|no going|coming|a? lower|less|rupee|rupees|paisa ~
        ek rupees|paise ~ kam|nahi|neeche ~
        kam|neeche|discount|chhoot|kami|less nahi|na @will
        kam|neeche|discount|chhoot|kami to|ab|aur|kuch|bhi nahi @will
        nahi|na @will ~ kam|neeche|discount|chhoot
        nahi to|warna rehne|mat|jaane|chhodo
        bottom line
        # pe|par|se hi? ruka|tika|atka|hilne|hilunga|hatunga ~
        holding|staying|stay|stays|stick|sticking|stuck|standing|stand at|on|with|to #
        price stays|stay|remains|stands ~
        dont|not|mat|please_dont ask|bargain|negotiate|say|push|try for? less|lower|discount
        kam|neeche|discount ki|ka|karne|ko ~ baat|bolna|mat|bolo mat|bolna|karo|bolo|karna
        at|to|already|reduced my|the limit
        as low as it|i|we gets|can|go|goes
        neeche|kam nahi|na aa|ja|kar|ho sakta|sakti|payega|paunga
        no more|further talks|discussion|bargaining|negotiation|reduction|discount|counter|counters
        no counter offer|offers
        asking price is what|the|my
        itna|itne|us|usse se? kam|neeche nahi|na
        full|asking price only|or_nothing|chahiye
        no change|changes in the? price
        price is the? price
        last|final|price bata|bol|bola|keh|kaha diya|chuka|raha
        said # ~ mean|meant
    """, firm=True),
    *rows("confidence", 0.85, "You call the price fixed: you sound sure of it.", """
        fixed|firm|non_negotiable|nonnegotiable|unnegotiable|final|fix price|rate|hai|on|at?
        fixed|firm|fix|nonnegotiable
        not|non|no negotiable|negotiation|negotiating|bargaining|bargain|haggling|discount|discounts
        last|final|best|aakhri|lowest price|offer|rate|ask|quote|one ~
        # ~ final|fixed|firm|last|aakhri|pakka
        final|last|aakhri # hai?
        final hai|price|bol|answer|rate
        take it or leave it
        lena|lo hai|ho to? ~ lo|warna|varna
        lena hai to lo
        bargain|bargaining|bhaav_tol|mol_bhav|mol_bhaav|molbhav mat|nahi|na
        no|koi bargaining|discount|less|kam|chhoot|choot
        price|rate|ask same|wahi|nahi rahega|hai|badlega|kam|hoga
        same|one|ek|isi|usi|yahi|wahi|apne hi? price
        same|one|single price for_all|for_everyone|sabke_liye|only
        price will_not|wont|not|doesnt|cant|hasnt|never ~ change|move|drop|go|come|decrease|fall
        price will not|never change|move|drop|go|come|decrease|fall
        price|amount nahi badlega|badlunga|girega|ghatega|hilega|kam
        not|wont|never|no dropping|lowering|reducing|cutting|discounting|drop|lower|cut \
            it|this|price|the|my
        know|knows what i|ive|its got|have|worth
        know what i got|have
        no lowballs|lowballers|lowballing|lowball
        my price stays|stands|is_my_price
        sticking|stick|standing to|by|with my|this|it|the
        not budging|budge|moving|changing|interested|desperate|reducing|worried ~
        wont|dont|cant budge|change|move|reduce|negotiate|bargain
        pakka price|rate|hai
        bilkul|ekdum|absolutely final|fix|nahi|not
    """, firm=True),
    *quiet("confidence", """
        fix|fixed|final a|the|your|ek time|date|day|meeting|appointment|place|spot
        time|date|day|meeting|appointment|din|jagah|call fix|fixed|final|pakka \
            kar|karo|karte|karlo|for|on|hai|at?
        fix|fixed|repaired the|it|this screen|battery|leak|part|handle|motor
        lena hai? ya nahi
        final year|exam|exams|match|round|semester|sem
        fixed deposit|deposits|salary|income
        last year|month|week|night|time|row|one|digit|name|page|sunday|saturday
    """),
    *rows("confidence", 0.75, "You praise the goods: you sound sure of their worth.", """
        worth it|every|more|much|the|at
        top|first|a1|world|high class|quality|grade
        @praise quality|product|condition|piece|item|cheez|maal|thing|camera|performance
        ekdum|bilkul|full|super|kadak|bahut \
            mast|badhiya|perfect|first_class|jhakaas|solid|paisa_vasool|acha|accha
        paisa vasool
        know|knows|pata what|its|the? ~ worth|value|price
        sure|certain|confident about|of|it|this|i
        im|i_am sure|certain|confident
        you wont|will_never regret
        can wait|afford_to_wait
        happy|fine to keep|wait
        rakh|wait lunga|loonga|sakta|kar_lunga
    """, firm=True),
    *rows("confidence", 0.6, "You say that you can wait: you sound calm.", """
        no|koi|any hurry|jaldi|rush|urgency|pressure|deadline
        jaldi nahi
        not in a|any? hurry|rush
        not urgent
        take your time
        aaram se|mein
    """, firm=True),
    *rows("confidence", 0.25, "You leave a door open: your price sounds movable.", """
        negotiable|nego|negotiate
        not|isnt|hardly|nahi|never ~ fixed|fix|firm|final|last
        not|isnt stuck|sticking|holding|fixed|firm on|at|to|with #?
        not|isnt|nahi my|the|a|our|mera fixed|fix|firm|final|last price?
        fixed|fix|firm|final|last price? nahi|not hai|h|hu?
        fixed|fix|firm|final|last nahi
        bargaining|bargain|negotiation|mol_bhav|bhaav_tol \
            chalegi|chalega|ho|possible|allowed|welcome
        maybe|perhaps|probably|shayad|possibly
        i think|guess|suppose|hope
        not|im_not sure|certain
        little|bit|slightly|thoda|some \
            flexible|negotiable|adjust|adjustment|room|kam|aage|upar|increase
        thoda bahut|bahut|sa|aur kam|kar|adjust|badha|badhao|aage|upar|zyada
        thoda aur|sa|to badha|badhao|do|dijiye|karo
        adjust kar|ho|karo|karunga
        open to offers|negotiation|bargain|discuss|discussion|offer|anything
        flexible
        what|how|kitna|kitne|kya can|will|do|would|much|doge|mein|dena|loge|chahte|de ~ \
            doge|offer|pay|give|spend|sakte|price|hai|loge
        what do|can|will|would you|u think|say|do
        how much ~ you|u
        make an|me? offer
        what|whats|tell|kya|batao ~ your|aapka ~ best|last|final price|offer|ask
        aapka|your|tumhara|apna ~ final|last|best kya|kitna|what|price|offer|bolo|batao?
        what|whats|kya|is|kitna ~ your|that|aapka ~ final|last|best price|offer?
        let me think|know|see|ask
        soch|sochta|sochke|dekhta|dekhte|puch hu|lete|lo|ke|bata
        kuch to|kam|badhao|aur badhao|karo|do|kar|badha
        can we|you|u meet|do|settle|increase|go|add|try|please ~
        can we|you|u come up|higher|closer|near|down|a
        beech ka|mein
        meet|split|middle me|in|the ground|middle|difference|halfway
        we can talk|discuss|negotiate
    """),
    *rows("confidence", 0.35, "You plead or excuse yourself: that sounds less than sure.", """
        sorry|maaf|maafi
        please|kindly
    """),
)  # fmt: skip
