"""Words of a seller who loses patience. Shouting and signs are read in ``shouting``."""

from agents.tells_reader.cue import quiet, rows

ESCALATION = (
    *rows("escalation", 0.7, "You insult or mock: anger shows that the price matters.", """
        idiot|stupid|fool|moron|dumb|nonsense|bullshit|bakwas|bakwaas|pagal|bewakoof|bevkoof|gadha|ullu|ghatiya|kanjoos|kanjus|bhikari|bhikhari|loser|cheapskate|shameless|besharam|chor|thief|scammer|fraud|dhokebaaz|cheater|rubbish|ridiculous|pathetic|disgusting|wtf|damn|hell|crap|clown|stingy|miser|saala|saale|kamina
        are_you|r_you|have_you|you|tu|tum|aap \
            kidding|joking|mad|crazy|insane|serious|blind|lost|pagal|mazaak|mazak|nashe|hosh
        dimaag kharab|kharaab|mat|nahi|chal|khao|kha|ka_dahi
        dimaag hai|theek ~
        dont|never|stop|is|its|thats|an|this|so|to|hi|that|and|me insult|insulting|insulted
        insult|insulting|insulted me|hai|offer|price|mat|kar|karo|ho
        ^ insult|insulting|insulted
        is this|that|it a? joke|mazak|prank
        joke|mazak|mazaak|joking|mazaak hai|kar|mat|chal|samjha|bana
        what a joke
        shame on|you
        sharam karo|nahi|kar|aani
        bheekh|muft|free mein|maang|chahiye
        loot|lut|looting|robbing rahe|raha|me|mat|liya|hai
        get lost
        you|u|must|gotta must|be joking|kidding|crazy|mad
        must|gotta|got_to be joking|kidding
        abe ~ chal|hat|oye|nikal|yaar
        tameez se|nahi|seekho
        you|u cheap|stingy|greedy|useless people|guys|fellow|fellows|man|person
        i|im|am not a? beggar|fool|idiot|child|kid|stupid|bhikari
        losing|lost|lose my patience|temper|mind|cool
        mind|watch your language|tongue|words|manners
        you|u are|re? testing me|my
        dont|stop|never|mat talk|talking|speak|baat to|karo me|mujhse? like|aise ~
        are you|u even|really serious|listening|reading
        go|jao ~ buy|take|find|lo|le_lo|dhundo from? ~ someone|somebody|kahin|elsewhere ~
        kahi|kahin|kisi aur se le_lo|lelo|lo|khareed|jao ~
        zyada|jyada hoshiyari|hoshiyar|smart|chalaki|over_smart ~
        aap|tum|you jaise|like customer|customers|grahak|people|log ~
        are you|u deaf|drunk|high|dreaming|dumb
        koi|kya ye? tareeka|tarika hai
        tum|aap|you|u jaise|like log ~
        people|guys|buyers|lowballers like you|u|tum
        had|hadd hai|ho|kar ~
        dabba|khokha|thaila bhi nahi
        dabba|khokha|thaila bhi|to nahi|bhi
        jao|ja|nikal|nikalo|bhaag|bhag yahan|yaha|idhar se
        block|report kar|karunga|karta|you|u|tumhe dunga|deta|hu|if?
        will|going_to|gonna|ill block|report you|u
        nikal|nikalo|bhaag|bhag|chal yaha|yahan|jao|yaha_se|phoot|nikal
        shut up
        chup karo|raho|ho|kar
    """, firm=True),
    *rows("escalation", 0.5, "You are losing patience: tempers move prices, seldom your way.", """
        time waste|wasting|khota|barbad|kharab|pass
        waste|wasting|stop_wasting of? my|our|mera? time
        waste of time
        mera time|samay ~ waste|kharab|barbad|mat
        time|samay mat|na waste|kharab|barbad|khao|lo
        bas karo|kar|ho_gaya|bahut
        enough of|is|already
        had enough
        fed up
        tang aa|aagaya|kar
        sick|tired of|and
        pareshan|irritate|tang mat|kar|ho|karo
        stop it|asking|messaging|wasting|lowballing|bargaining|this|calling
        lowball|lowballing|lowballer|low_balling
        i told|said you|already|clearly ~
        how many|kitni times|baar
        kitni|hazaar|sau|so_many|das baar bola|bol|bolu|batau|times|samjhau
        be serious|reasonable|realistic
        get real
        last warning
        final warning
        dont call|message|bother|waste|disturb|test|argue|text ~
        bakar|bakbak|bak_bak|jhik_jhik|jhikjhik|natak|drama mat|band|nahi|karo
        gussa aa|dila|dilao|dilaya
        gussa mat dila|dilao
        faltu|bekaar|bakwas|fizool|phaltu baat|baatein|bakwas|time|mat|offer
        kya bakwas|mazak|majak|tamasha
        come on man|bro|yaar
        khel|majak|mazak|timepass|time_pass mat|kar|nahi
        jao|chalo jao|jao_yaha_se|phir|hato|nikal
        forget|bhool it|jao
    """, firm=True),
    *rows("escalation", 0.5, "You say that you are angry.", """
        angry|annoyed|frustrated|irritated|irritating|annoying|gussa|furious|upset|offended
    """),
    *quiet("escalation", """
        mazak|joking|kidding kar raha tha|hu
        free|muft mein de|du|dunga|dungi|deta|deti du|dunga|dungi|hu?
        just|only|sirf|was|mein|main kidding|joking|mazak ~
        gussa|naraz mat|na|nahi ho|hona|karo|hu
        no|not|never|koi|bura|without insult|offence|offense|anger|hard_feelings ~ \
            meant|intended|taken?
        sorry|maaf ~ joke|mazak
        dont|please_dont be|get angry|mad|upset|annoyed
    """),
    *rows("escalation", 0.3, "You are about to leave: that is temper, or a bluff.", """
        jaane|rehne|chhod|chhodo do|de|yaar
        bye|alvida|bhool_jao
    """, firm=True),
)  # fmt: skip
