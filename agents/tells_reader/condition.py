"""Words about the state of the goods."""

from agents.tells_reader.cue import quiet, rows

CONDITION = (
    *rows("condition", 1.0, "Sealed or never used: as good as new.", """
        box|seal|pack|packet|piece|still|factory|fully sealed|packed|pack|band|intact
        sealed|unopened|unboxed|unused|untouched
        seal pack|packed|intact|nahi_tuta|nahi_khuli|hai|laga
        never|not|nahi|hasnt|havent|wasnt been? \
            opened|used|unboxed|worn|ridden|driven|touched|khola|khula
        not even opened|used|once
        brand|bilkul|ekdum|totally|completely|fully new|naya|nayi|naye|fresh
        naya hai|piece|maal|packed
        nayi|naye hai|jaisi|jaise
        khola|use|chalaya|pehna|khula bhi|hi? nahi|tak_nahi
        ek baar|din bhi nahi|use_nahi
        zero|no use|usage|used|wear
        with|under|abhi tag|tags|wrapper|plastic|wrapping
        tag|tags laga|lage|on|attached|intact
    """, firm=True),
    *rows("condition", 0.85, "Hardly used: close to new.", """
        like|as|almost|nearly|good_as|jaisa|same_as new|naya|fresh
        naya|nayi|new jaisa|jaisi|jaise|like
        mint|pristine|flawless|immaculate|spotless|perfect|excellent condition|state|piece
        mint|pristine|flawless|immaculate|spotless
        barely|hardly|rarely|lightly|gently|seldom|less|kam used|worn|driven|touched|use|chala|chali
        used|use once|twice|rarely|only|sparingly|kam|hua_kam
        bahut|ekdum kam use|chala|chali|istemal
        just # days|months|weeks|din|mahine|hafte|month|week|mahina old|used|purana|purani|ago
        # days|weeks|din|hafte old|used|purana
        ek|koi bhi? @part|part ~ repair|change|replace nahi ~
        tags|plastic|wrapper|sticker|film|stickers ~ on|intact|laga|lagi|attached
        just|only|sirf # wash|washes|rides|uses|trips|wears ~
        no|zero|not_a_single|without|koi|ek_bhi|any @flaw
        koi|ek_bhi @flaw nahi
        @flaw ek_bhi|koi|kuch|bilkul nahi
        haath|hath|finger bhi? nahi lagaya|laga|lagayi
        @flaw nahi|tak_nahi|bhi_nahi|free|less
        scratchless|scratchfree
        under|in|with|still|abhi|full|#|year|years|months|mahine|saal warranty|guarantee
        warranty|guarantee left|remaining|baki|baaki|valid|card|hai|mein
        showroom|tip_top|a1|a_one|top|super condition|jaisa|piece
        battery health|backup? excellent|great|mast|badhiya
    """, firm=True),
    *rows("condition", 0.6, "Used and in order.", """
        good|great|nice|decent|fine|working|acha|accha|achi|acchi|sahi|theek|badhiya|mast|running \
            condition|halat|haalat|shape|state|order
        working|works|chalta|chalti|runs|running|plays|cleans|cooks|heats|cools \
            perfectly|fine|well|good|smoothly|perfect|sahi|hai|mast|smooth|properly|great|like_new
        sahi|theek|mast|accha|badhiya|perfect|smooth chal|chalta|chalti raha?|hai
        abhi|still ~ chal|working|works|chalta raha?|fine|hai
        condition|halat ek number|best|ok|theek|sahi|accha|mast|badhiya|perfect|great|good
        ek number condition|halat|piece|maal
        good|solid|sturdy|strong wood|frame|build|body|joints|legs
        wood|frame|build|body|joints|legs ~ solid|sturdy|strong|mazboot
        serviced|maintained regularly|properly|recently|on_time|every
        odometer|meter # ~
        fully|completely|totally|perfectly functional|working|operational
        starts|start|runs in|on one|first|single kick|go|time|press
        chalu|chaalu|running|working condition|halat
        polish|service|servicing|paint|cleaning ~ karwayi|karwaya|karayi|karaya|hui|done ~
        clear|clean|bright|sharp display|screen|picture|glass
        display|screen|picture|glass ~ clear|clean|bright|sharp
        body|piece|paint|chrome ~ chakachak|chamakta|chamakti|shining|shiny|shine|tight|chaka_chak
        hinges|joints|brakes|bolts ~ tight|smooth|solid
        well|properly maintained|kept|looked_after|serviced
        regularly serviced|maintained
        single|first|one owner|hand|user|handed
        recently|just|newly|fresh serviced|service|repaired|painted|polished
        original bill|box|charger|parts|accessories
        bill|box|charger aur|and|with bill|box|charger
    """),
    *rows("condition", 0.35, "Repaired or worn: worth less than an untouched one.", """
        @part ~ replaced|changed|repaired|badli|badla|badal|change|duplicate|replace|nakli|local
        replaced|changed|repaired the|its|my? screen|display|battery|glass|panel|part|motor
        repaired|refurbished|reconditioned|repainted|patched
        repair hua|kiya|karwaya|karaya|karna
        battery drains|weak|low|kam|down|khatam|kamzor|jaldi
        @few @flaw|wear|stain|stains|crack|cracks|use|tear|fading
        scratch|scratches|dent|dents|crack|cracks|stain|stains|kharonch|daag|chip|rust|fading|wear
        scratched|dented|cracked|faded|stained|worn|torn|rusty|rusted|chipped|yellowed|ghisa|phata|phati
        wobbly|wobbles|scuffed|scuffs|peeling|peeled|creaks|squeaks|sagging
        rang|paint|colour|color|polish|coating ~ utra|utar|gone|off|peeling|chipped|faded|fade
        chamdi|leather|seat|rexine|cloth|kapda|fabric ~ \
            ghis|ghisa|ghisi|torn|worn|cracked|phata|phati
        ghis gaya|raha|chuka
        ghis ~ gaya|raha|chuka hai?
        @part|spring|hinge|button|handle|zip|stitching|hem|sole|knob|wheel ~ \
            dheela|dheeli|daba|dabi|nikla|nikli|utra|utri|coming|gone off|out|hua|hui|hai
        dheela|dheeli hai|ho|hua|hui|si?
        stitching|seam|seams|sole|stitches ~ coming|open|loose|off|gone
        awaaz|sound|noise aata|aati|karta|karti|aa|coming|makes ~
        leak|leaks|heat|hang|garam|overheat karta|karti|ho|hota|hoti|raha ~
        makes|making|has a|some|weird? noise|sound
        rang|paint|colour|color|polish ~ uda|ud|udd
        @part|hinge|knob|leg|legs|door|screw|lid|joint|wheel ~ loose
        loose hinge|knob|leg|screw|lid|joint|handle|wheel
        @part|wheel|screw|knob|button|leg|lid|one|piece missing|gayab|broken_off
        # saal|years|year|yrs|months|mahine purana|old|used|purani|chala|use
        old|purana|purani piece|model|hai|ho|version
        second|third|used|old hand|owner
        used roughly|heavily|rough|a_lot|daily
        missing|without|no|nahi \
            charger|box|bill|remote|cable|lid|cap|part|parts|warranty|invoice|handle|manual
        charger|box|bill|remote|warranty|invoice nahi|missing|kho|gum|lost|khatam|over|expired
    """, firm=True),
    *quiet("condition", """
        tabiyat|tabyat|tabiat|sehat ~ kharab|theek|thik|down
        ^ no problem|issue $
        sure|ok|yes|haan|fine|cool|np no problem|issue|issues
        ^ koi problem|issue|dikkat|baat nahi hai? $
        no problem|issue at_all
        no problem|issue with_me|for_me|i|ill|sir|bhai|bro
        mood|din|naam|market|dhandha|business|dimaag|time|zamana|mausam kharab|dead|down ~
        naya|new lena|leni|chahiye|wala|phone|one|shop|car|bike
    """),
    *rows("condition", 0.35, "A battery ages: its health sets the price.", """
        battery health|is|at|only|backup|life|percent? hai|is? #
        # percent? battery
    """, firm=True, by_number=True),
    *rows("condition", 0.1, "Broken: it sells for parts or repair.", """
        not|doesnt|stopped|isnt working|work|turning_on|starting|charging|turn_on|start
        chalta|chalti|kaam|on|chal nahi|band|nahi_karta|hota_nahi
        kharab|broken|tuta|tooti|toota|dead|damaged|faulty|defective|shattered|smashed|burnt|jala
        band pada|padi|hai|ho_gaya
        for parts|scrap|repair only?
        kabad|kabaad|scrap|junk
        button|key|keys|switch|knob|port|speaker|mic|camera|light nahi|not \
            chalta|dabta|working|work|kaam
        button|key|keys|switch|knob|port|speaker|mic|camera|light ~ \
            dabta|chalta|working|kaam|work nahi|not|band|dead|kharab
        needs|need|requires|wants|maangta a? little|some|major|full|minor? \
            repair|repairs|repairing|fixing|replacement|work
    """),
)  # fmt: skip
