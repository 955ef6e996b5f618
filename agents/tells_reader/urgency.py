"""Words of a seller who needs the sale."""

from agents.tells_reader.cue import quiet, rows

URGENCY = (
    *rows("urgency", 0.7, "You say you lose money: sellers who say so often want it over.", """
        making|taking|booking|bearing|facing|having|taken|took|take|made|bear|booked|eating \
            a|my|huge|big|at|the|this? loss
        bleeding money|cash|here
        at|in a? loss
        loss ho|mein|hi|kar|kha|uthana raha|jayega|hai|rahi|ja|ke
        loss mein|pe bech|de|ja
        loss mein? hai|ho|hoga|hu
        selling|giving|letting it? at|for|below|under loss|cost|nothing|peanuts
        ghata|nuksan ho|kha|hai|hoga|mein|kar|utha
        khareed|purchase|cost|buying price ~ kam|neeche|less|below
        not|barely|hardly even? covering|recovering my? cost|expenses
        less|lower|cheaper than i? bought|paid|my_cost
        losing|lose|lost money|on_this|on_it|already
        ghate|ghata|nuksan mein
        barbad|doob ho|gaya|jaunga|jayega
    """),
    *rows("urgency", 0.85, "You say you need the money: whoever needs it cannot wait.", """
        need|require|want the|some|this? money|cash|funds|paise
        need|require the|some|this? money|cash|paise|funds urgently|fast|today|now|badly|quickly
        money|cash|paise is? needed|required|chahiye|urgent
        paise ki|ka|ke? ~ zaroorat
        paise|cash chahiye|lagega|lagenge ~ abhi|aaj|jaldi|turant
        zaroorat hai|thi|mein
        short on|of cash|money|funds
        need|needs money|cash|funds
        naukri|job|salary ~ gayi|gaya|chali|lost|chhut|nahi_mili|ruki
        lost|losing my? job
        kharcha|kharche|kist|karza|udhaar ~ chalana|chalane|bharna|bharni|chukana|chukani|dena|hai
        paise|cash ~ mil|chahiye jaye|jaaye|jaata|hote
        paise|cash ~ atka|phasa|phansa
        have_to|need_to|must|gotta pay|clear rent|emi|fees|fee|loan|bill|bills|dues|debt
        emi|rent|fees|loan|hospital|medical|shaadi|operation ~ \
            bharna|dena|pay|due|hai|bills|expenses|emergency|bhar
        financial|medical|family crisis|emergency|problem|trouble|issue
        broke right|this|at
        desperate|desperately
        majboori|majburi mein|hai|se?
        bahut tangi|tang
    """),
    *rows("urgency", 0.8, "You say you are leaving: what cannot come along must go.", """
        moving|shifting|relocating|leaving \
            out|abroad|house|home|city|town|cities|country|flat|to|tomorrow|today|soon|this|next|on|in|the|for
        i|im|we|were|am|are moving|shifting|relocating|leaving
        have_to|need_to|must|got_to|gotta move|shift|leave|vacate|relocate
        shift|move ho|kar|karna raha|rahe|hai|rahi
        shehar|ghar|flat|makaan|room|pg chhod|chod|khali|badal|change
        transfer ho|hua|hai|gaya|order
        moving|shifting|relocating|leaving|shift|leave|going|flying ~ @day
        leaving|leave * for|forever|soon|permanently
        moving|shifting|relocating hai|ho
        hostel|pg|flat|room|makaan|city|shehar|ghar ~ chhod|chod|khali ~
        nikalna|jaana|jana hai hame|mujhe|humein
        @day|subah ~ nikalna|nikal_rahe|nikal_raha|chale_jaunga ~
        everything|all|it|this must|has_to|gotta|needs_to|should go
        out of ~ garage|house|flat|way|room|hair|sight
        @day ~ flight|train|gaadi|bus|movers|packers
        @day # baje ~ flight|train|gaadi|bus|movers|packers
        flight|train|gaadi|bus|movers|packers ~ @day
        packers|movers|truck|tempo ~ coming|booked|aa|aayenge|ready
        before i|we fly|leave|move|go|shift|travel|relocate ~
        before i|we am|are leaving|moving|shifting
        bimari|hospital|ilaj|operation|treatment|medical|doctor ~ kharcha|bill|bills|kharche
        vacating|vacate the|my|this? flat|house|room|home|pg|place
        bangalore|delhi|mumbai|pune|gaon|bahar|videsh|canada|dubai shift|ja|jaana|jana
        flight|train|packers ~ tomorrow|kal|today|aaj|tonight|hai
        lease|contract|notice is|ends|ending|over|up|khatam|period
        last|aakhri day|din|week in|here|yaha|hai|of
    """),
    *rows("urgency", 0.75, "You set a near day: a seller with a deadline gives way before it.", """
        today|aaj|tonight|abhi|aaj_hi only|hi|itself ~
        only today|tonight|now
        aaj hi|ke|raat|shaam ~ bechna|becho|le_jao|chahiye|final|karo|lena|do|dena
        must|need_to|have_to|has_to|want_to|gotta sell|go|clear|finish|close ~ \
            today|tonight|now|soon|fast|quickly|asap|quick
        by|before|until \
            tonight|today|tomorrow|evening|weekend|sunday|monday|saturday|friday|kal|shaam|raat|noon
        by|before|until|till the|this|next|coming @day|week|month
        by|before|until|till @day|week|month
        must|gotta go
        must|gotta|has_to|needs_to|need_to|should go|sell ~ @day|week
        # baje|am|pm ~ se? pehle|before ~
        uske|usse|isse|iske pehle le_jao|lejao|utha|uthwa|uthao|bech|bechna|lena|khali
        offer|deal|price valid|good|only|stands|open ~ till|until|for|upto @day
        today|now|aaj|abhi or|ya never|nahi_to|kabhi_nahi
        within the|an|a? hour|day|week|days
        # hours|days|minutes|ghante|din left|only|mein|bache|hai
        few|couple hours|days left|only
        aaj ke|shaam|raat andar|tak
        kal tak|se_pehle|subah_tak
        deadline is|hai|today|tomorrow|aaj|kal
        time is|nahi running|hai out?
        running out of time
        no|not much|more|enough? time
        time nahi|kam|khatam|nikal
        samay nahi|kam
        last day|date|chance
        pick|pickup|collect|come up|it|this? today|tonight|now|aaj
        pick|pickup|collect ~ today|tonight|right_now|aaj
    """, firm=True),
    *quiet("urgency", """
        # din|days|hafte|weeks|ghante|hours mein|in # @people|@bidders
        jaldi|hurry|rush|urgency ~ koi|any? \
            baat|zaroorat|tension|pressure|chinta nahi|na|mat
        hold|keep|reserve|free|available|open|home ~ ~ till|until|by @day
        tired|fed|sick of|up of? your|you|messages|offers|bargaining|haggling
        jaldi|hurry|rush mat|nahi|not|na kar|karo|karna|hai
        no|koi|any hurry|rush|urgency|deadline|jaldi|jaldbaazi
        not urgent|hurried
        are|is|do|kya you|aap|tum|aapko|tumhe|it ~ ~ hurry|rush|jaldi|urgent|need
        no|not|nahi|koi ~ nuksan|loss|ghata|losing
        nuksan|loss|ghata nahi|not|na
        good|nice|see|meet|talk|call|milte|message|watch|free you|u|me|hai? \
            today|tomorrow|tonight|kal|aaj
    """),
    *rows("urgency", 0.65, "You press for speed: haste reads as need.", """
        urgent|urgently|asap|emergency|immediately|immediate
        in a|some|big|great|bit|real? hurry|rush|haste
        in a bit of a hurry|rush
        hurry|hurry_up|quick|quickly|fast|jaldi|turant|fatafat|fauran|jald
        right now|away
        abhi ke_abhi|chahiye|le_jao|lelo|le_lo|do|dedo|karo
        as soon as possible
        cant|cannot|dont_want_to wait|hold|delay ~
        wait nahi|mat|karna|nahi_kar
        sooner the better
        need|want it|this gone|sold|out|cleared
        want|need|have|got|trying|looking|eager|keen to|for? \
            get_rid|sell_it|sell_this|sell_quickly|clear|offload|dispose
        get rid of
        quick|fast|distress|clearance|urgent sale|deal|selling
        jaise taise|taise_hi
        bech dena|dunga|dete|do|raha|na ~ hai|jaldi|aaj
        bas|kisi bik|tarah jaye|bik|nikal
        nikalna|bechna|hatana hai|padega|zaroori
        clear karna|out|everything
        please|plz take|buy|le_lo|lelo|le_jao|help|kuch
    """),
    *rows("urgency", 0.45, "You say it takes up room or time: you would rather be rid of it.", """
        taking|takes|occupying up? space|room|place
        jagah nahi|gher|kha|chahiye
        lying|sitting|gathering|pada|padi idle|around|unused|dust|hua|rehta|hai
        no use|space|place|room for|of|to|me|at|in|left|here
        koi kaam|use ka|nahi
        tired|fed of|up ~ selling|waiting|this|of
        anything works|is_fine|will_do|chalega
        jo bhi de|dena|doge|ho
        whatever you|price|works
    """, firm=True),
)  # fmt: skip
