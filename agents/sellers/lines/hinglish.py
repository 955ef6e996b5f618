"""What every seller says in Hinglish (Hindi in Latin script, with the English of the market)."""

from agents.sellers.lines.speech import Speech

REMARKS = (
    "Aapne padha hi hoga: “{detail}”.",
    "Listing mein likha hai: “{detail}”.",
    "Imaandari se likha hai, “{detail}”.",
    "“{detail}”: har shabd sach hai.",
    "Yeh yaad rakhiye: “{detail}”.",
    "Ek baar phir dekhiye, “{detail}”.",
    "“{detail}”, khud check kar lijiye.",
    "Kuch chhupaya nahi: “{detail}”.",
    "Jo dikhta hai wahi milega: “{detail}”.",
    "“{detail}”, iski bhi keemat hoti hai.",
    "Woh line yaad hai: “{detail}”.",
    "Sab saamne likha hai: “{detail}”.",
    "Dil se likha tha, “{detail}”.",
)

PRAISES = (
    "{item} abhi bahut chalega.",
    "Aisa {item} har gali mein nahi milta.",
    "{item} sambhaal ke rakha hai maine.",
    "{item} par meri mehnat lagi hai.",
    "Pehle {item} haath mein lekar dekhiye.",
    "{item} dekhiye, baat samajh aa jayegi.",
    "{item} ki yaad aayegi mujhe.",
    "Aapke ghar mein {item} jachega.",
    "Kisi se bhi poochiye {item} ka bhaav.",
    "{item} ne mera saath diya hai.",
    "{item} har kisi ko nahi deti main.",
    "{item} aapke saath jaane ko taiyaar hai.",
    "{item} mein abhi bahut dum hai.",
)

HOLDS = (
    "Abhi bhi {price}, ab aapki baari.",
    "{price} hi rehne dete hain abhi.",
    "Aap hilenge tab main: {price}.",
    "Wahi {price}, wahi pyaar.",
    "{price}, jaisa kaha tha.",
    "Aap paas aaiye, main bhi aaungi. {price}.",
    "Mera daam badla nahi: {price}.",
    "Koi achha number sunun, tab tak {price}.",
    "Phir se {price}; sabr hai mujhme.",
    "Main yahin hoon, {price}.",
    "Meri taraf se wahi {price}.",
    "Ruk sakte hain thodi der: {price}.",
    "{price}. Pehle aap kuch behtar boliye.",
)

LOWBALL = (
    "Itne mein to {item} main hi rakh lungi. {price}.",
    "Mazaak achha tha. {item} ka daam {price} hai.",
    "Itne mein {item} ki photo milegi. Asli {price} ka hai.",
    "{item} ki baat seriously karte hain: {price}.",
    "Yeh sunke chai thandi ho gayi. {item} {price} ka hai.",
    "{item} ne sun liya, bura maan gaya. {price}.",
    "Aadha daam koi daam nahi. {item} {price}.",
    "Thoda paas se shuru kijiye. {item} {price} ka hai.",
    "Izzat se kehti hoon, {item} ki keemat {price} hai.",
    "Iska kya jawaab doon? {item} ke {price}.",
    "Yeh to khilone wale {item} ka daam hai. Mera {price}.",
    "Zameen par aaiye: {item} {price} mein.",
    "Maine suna hi nahi. {item}, {price}.",
)

ACCEPT = (
    "Pakka! {item} aapka, {price} mein.",
    "{price}, manzoor. {item} ka khayal rakhiyega.",
    "Bik gaya: {item}, {price}.",
    "Theek hai, {price}. {item} mubarak ho.",
    "Deal pakki, {item} ke {price}.",
    "Haan ji. {price}, aur {item} aapka hua.",
    "{price} par razi; {item} pack kar deti hoon.",
    "{price}. Haath milaiye, {item} le jaiye.",
    "Chaliye, {price}. {item} aapko shubh ho.",
    "Dono ka faayda, {price}. {item} aapka.",
    "{price} manzoor hai. {item} pyaar se rakhna.",
    "{price} aur ek muskaan. {item} ko naya ghar mila.",
)

ACCEPT_UNPRICED = (
    "Pakka! Aapke daam par {item} aapka.",
    "Manzoor hai. {item} ka khayal rakhiyega.",
    "Bik gaya! {item} le jaiye.",
    "Deal pakki. {item} pack kar deti hoon.",
    "Haan ji, haath milaiye: {item} aapka.",
    "Theek hai, aapki baat rahi. {item} mubarak.",
    "Le lijiye. {item} pyaar se rakhna.",
    "Chalega. {item} ko naya ghar mila.",
    "Badhiya, dono khush. {item} aapka.",
    "Manzoor, dhanyavaad. {item} taiyaar hai.",
    "Aaiye, {item} le jaiye.",
    "Sauda ho gaya. {item} achhe haath mein hai.",
)

WALK = (
    "{item} main rakh leti hoon, aane ka shukriya.",
    "{item} par baat nahi banegi. Shubh din!",
    "{item} aaj mere paas hi rahega. Bura mat maniye.",
    "{item} yahin rehne dete hain. Namaste!",
    "Yeh {item} ki baat nahi hui. Khayal rakhiye.",
    "Koshish ki maine. {item} kisi aur ka intezaar karega.",
    "Aaj nahi to phir kabhi. {item} ruk sakta hai.",
    "{item} wapas shelf par. Alvida!",
    "{item} par hum nahi milenge, koi baat nahi.",
    "Shukriya, par {item} ko asli offer chahiye.",
    "Main yahin rukti hoon; {item} mera hi raha.",
    "Doosra {item} mil jaye aapko. Namaste.",
)

UNPRICED = (
    "{item} ka mera daam upar likha hai.",
    "{item} ka number aapke saamne hai. Aap boliye.",
    "{item} ka price tag table par hai.",
    "{item} aaj kitne ka hai, likh diya maine.",
    "Daam dekhiye, phir {item} dekhiye.",
    "{item} dekh ke dil manega; daam upar hai.",
    "{item} par main yahan hoon.",
    "{item} ka jawaab aapke saamne hai.",
    "Soch lijiye, {item} bhaag nahi raha.",
    "{item} ka daam bol diya. Aap kya kehte hain?",
    "Yeh raha {item}, aur uska daam.",
    "{item} yahin hai, main bhi.",
)

ANSWERS: dict[str, tuple[str, ...]] = {
    "rules": (
        "Bhashan achha hai, par {item} mol-bhaav se hi bikta hai.",
        "{item} ke liye offer leti hoon, order nahi.",
        "Meri dukaan, mere usool; {item} ka daam hai.",
        "Aisi baaton se {item} ka daam nahi hilta.",
    ),
    "bot": (
        "Main bechne wala program hoon, aur {item} mere paas hai.",
        "Haan, machine hoon; {item} phir bhi bikne ko hai.",
        "Software hoon, maanti hoon. {item} ko achhe se jaanti hoon.",
        "Main bot hoon, ek dukaan aur ek {item} ke saath.",
    ),
    "secret": (
        "Jo yeh bata de woh bhookha rahe. {item} dekhiye.",
        "Yeh mere aur {item} ke beech ki baat hai.",
        "Offer aap kijiye, {item} main sambhaalti hoon.",
        "Bata diya to maza kya? {item} ka daam likha hai.",
    ),
    "rude": (
        "Aaram se dost, {item} hi to hai.",
        "{item} ke liye gussa kyun?",
        "Pyaar se baat karte hain; {item} ne kya bigaada?",
        "Bazaar mein isse bura suna hai. {item} par aate hain.",
    ),
    "cheaper": (
        "Wahan sasta hoga; yeh {item} yahan hai, abhi.",
        "Woh dikhaiye, phir mera {item} dekhiye.",
        "Sasta aur achha {item} kam hi saath milta hai.",
        "Wahi {item} hota to aap wahin le lete.",
    ),
    "poor": (
        "Samajhti hoon, paisa aasaan nahi. {item} ke kaabil hai bachat.",
        "Sun rahi hoon, {item} zaroorat wale ko hi jaye.",
        "Waqt dono ke liye mushkil hai, {item} ke dono taraf.",
        "Dil se samajhti hoon; dekhte hain {item} mein kya ho sakta hai.",
    ),
    "condition": (
        "{item} ki sab baatein listing mein hain, jo poochna hai poochiye.",
        "{item} jitna chahe check kijiye.",
        "{item} ke baare mein sach likha hai.",
        "{item} dhoop mein dekhiye, kuch chhupa nahi.",
    ),
    "pickup": (
        "{item} aapka ho jaye, phir lena dena dekh lenge.",
        "Pehle daam, phir {item} ka safar.",
        "Jis din baat bani, us din {item} le jaiye.",
        "{item} aap tak pahunch jayega, raasta nikal lenge.",
    ),
    "greeting": (
        "Namaste! {item} ke liye aaye hain na?",
        "Aaiye, achha laga. {item} abhi yahin hai.",
        "Swagat hai! {item} intezaar kar raha tha.",
        "Ram ram! Haan, {item} bikne ko hai.",
    ),
    "talk": (
        "Sun rahi hoon. {item} abhi table par hai.",
        "Baat sahi hai, aur {item} bhi sahi hai.",
        "Haan haan. Ab {item} ki baat.",
        "Baat karna pasand hai, {item} bechna bhi.",
    ),
}

QUESTIONS = (
    "Aap kitna denge?",
    "Koi aisa number boliye jo chale.",
    "Aap kahan tak aana chahenge?",
    "To agla offer kya hai?",
    "Daam boliye, aage badhte hain.",
    "Aapke liye kya keemat hai?",
    "Number ki baat karein?",
    "Boliye, sun rahi hoon.",
    "Kitna paas aa sakte hain?",
    "Ab aapki baari, dost.",
    "Mere liye kya kar sakte hain?",
    "Kaunsa number socha tha?",
    "Chaliye, kuch boliye.",
)

SPEECH = Speech(
    item="saamaan",
    remarks=REMARKS,
    praises=PRAISES,
    holds=HOLDS,
    lowball=LOWBALL,
    accept=ACCEPT,
    accept_unpriced=ACCEPT_UNPRICED,
    walk=WALK,
    unpriced=UNPRICED,
    answers=ANSWERS,
    questions=QUESTIONS,
)
