"""Hindi words in Devanagari that bargaining needs, in the Latin spelling the tables use.

Written without the dot below (nukta), which ``plain_text`` drops.
"""

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
बहुत bahut थोडा thoda सिर्फ sirf बस bas क्या kya कितना kitna नया naya नयी nayi पुराना purana
पुरानी purana टूटा tuta खराब kharab अच्छा accha अच्छी accha हालत halat इस्तेमाल use
खरोंच scratch भाई bhai देख dekh पूछ pooch बेचना bechna समय time टाइम time बर्बाद barbad
मजाक mazak पागल pagal शिफ्ट shift बढेगा badhega
"""

WORDS = dict(zip(_PAIRS.split()[::2], _PAIRS.split()[1::2], strict=True))
"""Devanagari word -> Latin word."""
