"""Words that sellers use to press a price, true or not."""

from agents.tells_reader.cue import quiet, rows

DECEPTION = (
    *rows("deception", 0.6, "Rival offers cannot be checked: buyers hear them in every bluff.", """
        # other|more|aur|extra|different|serious|genuine|interested|better? @people ~ \
            interested|waiting|ready|calling|asking|coming|dekh|ready|aa_rahe|pooch
        # other|more|aur|extra|different|serious|genuine|interested|better @bidders
        # @bidders
        @many other|more|aur|serious|genuine|interested|saare|better? @bidders
        other|another|more|better|higher|rival|competing @bidders
        @other ~ # ~ @bidding
        @other # mein|ka ~ maang|le|raha
        dusra|koi_aur|aur_koi|ek_aur|alag banda|customer|buyer|party|grahak|log|offer|wala|aadmi
        @rival ~ ~ @wanting
        @rival|@other ~ ~ # @wanting
        @rival ke_liye|ko ~ chahiye|lena|leni|rakha|maang
        kisi aur ne|ko|ka|se ~
        mera|my|hamara bhai|brother|sister|behen|boss|dost|saala ~ # ~ de|dega|bola|offering|offered
        @rival|# ~ ~ coming|came|visited|aaya|aayi|aaye|aa ~ cash|see|dekhne|lene|look|pickup
        aur|more|even bhi|more @bidders|@people
        aur bhi @bidders
        waiting list
        call|phone|message|msg|offer aaya|aayi|mila tha|hai|abhi ~
        @rival|log|people to|are|were|is|was|have? ~ \
            taiyar|tayyar|fighting|lined|chasing|begging|running
        @rival ~ already? said|says|agreed|confirmed yes|ok|haan|done
        someone|somebody|koi who|jo will|would|to? take|buy|lega|grab
        koi|kisi aur hota|hoti|milega|aayega|lega|le_lega ~
        kahi|kahin|market|bazaar mein? nahi milega|milegi|milta
        bazaar|market mein ~ nahi milega|milegi|milta
        dusra # ~ aayega|aa_jayega|mil_jayega
        dmd|messaged|texted|pinged|called ~ ~ higher|more|better
        higher|better number|price|amount|rate ~ from|mila|offered|already
        shortage of|hai|mein?
        koi|ek aur party|banda|customer|grahak|buyer|dealer|log|ladka|family|uncle|aunty
        not|arent|isnt the? only one|person|buyer|customer
        # wala|ka offer
        other # ~ i|ive|mujhe got|have|mila|mile
        bidding|price war
        inbox|dms|phone|messages|chat ~ full|flooded|flooding|exploding|busy|bhar
        baat|deal|talks ~ chal|going|on raha ~
        advance|token ~ de|diya|dene|given|paid|ready|bola
        dusra|koi_aur|aur_log zyada|de|dene|le|lene|aa|dekh|bol
        someone|somebody|others|everyone|anyone|another|friend|neighbour|dealer|shopkeeper ~ \
            else|offered|offering|ready|waiting|interested|willing|wants|asking|paying|coming|said
        someone|somebody else
        people|buyers|customers|log are|is|keep|have? ~ \
            asking|interested|waiting|calling|lining|ready|messaging|queue|dekh|pooch|maang
        log ~ dekh|pooch|maang|khade|line|wait|ready|aa|puch|call|peeche
        got|have|had|getting|received|mil ~ offer|offers|bids|calls|enquiries
        already have|got|sold|booked|offered|reserved|promised ~
        # ka? offer already|hai|mila|aaya|tha
        offer # ~ already|from
        offer aaya|mila|aa_raha|aa|hai|pada
        high|huge|heavy|hot|great|lot_of demand|selling|interest
        demand bahut|zyada|hai|high|kaafi
        line mein|lagi|laga|hai
        phone pe_phone|baj|aa
        hot cake|cakes|item|selling
        like_hot|hot cakes
    """),
    *rows("deception", 0.55, "A price that rises tomorrow is pressure nobody can check.", """
        kal se badh|badhega|mehenga|zyada|price|rate|double
        kal|parso ~ badhega|badh|mehenga|badhegi|badhenge|double
        prices|rates|price|rate ~ going|go|gone|shooting|badhne up|wala|wale|soon ~
        @laterday ~ # ~ ho_jayega|hojayega|ho_jaega|hoga|lagega
        discontinued|out_of_stock|out_of_production
        not being made|manufactured anymore?
        price|rate will|is|are|to|going ~ increase|rise|go_up|up|going|double|increasing|rising
        price|rate|prices|rates badhega|badh|badhne|badhegi|badhenge|upar
        tomorrow ~ higher|more|costlier|expensive|increase|up|go_up|price|double|increased
        wont|not last long|stay|be_here
        wont be available|there|here|cheaper ~
        before it gets|is|goes sold|gone|over
        someone will take|buy|grab
        will_be|will|gonna|going be|to? gone|sold|go|sell ~ soon|today|tomorrow|fast|by|minutes
        bik jayega|jaega|jayegi|gaya|jaunga
        nikal jayega|jaega|jayegi
        haath se nikal|jayega
        last|only|single|aakhri piece|one|unit ~ left|hai|bacha|bachi
        only # left|piece|pieces|remaining
        limited time|stock|offer|period
        stock khatam|limited|nahi|over
        rare|limited edition|piece|item
        you wont|will_not|cant find|get|see ~ anywhere|cheaper|better|again|this|price
        kahi|kahin nahi|aur ~ milega
        nowhere else
        aisa nahi|mauka|deal|piece|offer milega|nahi|phir
        koi nahi|na dega|degi|deta|denge|bechega
        nobody|no_one will|would|can give|sell|offer|match
    """, firm=True),
    *quiet("deception", """
        are|is|were there ~ other|better|more|any offer|offers|buyers|buyer
        have|do|did|are|got you|u|aap ~ ~ other|better|more|any offers|offer|options|buyers
        aapke|tumhare|your|aapko ~ ~ offer|offers
        other|aur|more colours|colors|sizes|models|items|questions|things|options
        dont|not|never believe|trust ~
    """),
    *rows("deception", 0.4, "Oaths and flattery are there to be believed, not checked.", """
        trust|believe me|my|mujhpe|karo|kijiye|kar|it
        swear|promise to_god|on|by|hai|bhai
        god|bhagwan|maa|mummy|rab|allah|khuda promise|kasam|swear
        meri|mera baat ~ yakeen|vishwas|bharosa|maano
        i swear|promise|guarantee
        kasam|kasam_se|maa_kasam|bhagwan_kasam|sach_mein|sach_bol|sach_keh|jhooth_nahi|jhoot_nahi
        god promise|knows
        mother swear|promise
        bharosa|vishwas|yakeen karo|rakho|kar
        special price|rate|discount for|only|sirf|aapke_liye
        only|just|sirf|especially for_you|aapke_liye|tumhare_liye
        aapke liye special|sirf|hi|kar|kam
        for you|aapke_liye only|special|brother|sir|friend|bhai|my_friend
        khareed|purchase|cost|buying price hi|is|was|hai|tha|mera|itna|only? ~
        my|apna cost|purchase|kharid|buying ~ price|is|hai|more|higher|zyada|itna
        cost to cost
        i|mujhe|main bought|paid|liya|khareeda ~ for|more|double
        boss|wife|husband|father|papa|mom|partner|biwi|brother \
            wont|will_kill|nahi_manega|nahi_manegi|says_no|wont_allow
    """, firm=True),
    *quiet("deception", """
        go|jao ~ someone|somebody else
        buy|take|lo|le_lo|get it? from|se ~ someone|somebody|kahin|kisi else|aur
        cost|price|rate se bhi? kam|neeche
    """),
    *rows("deception", 0.3, "Whoever says that he is honest asks to be believed.", """
        honestly|frankly|genuinely|sachi|sacchi|imandari
        to be honest|frank|fair
        to tell you the truth
    """),
)  # fmt: skip
"""A last price named twice is read from the history, see ``agents.tells_reader.history``."""
