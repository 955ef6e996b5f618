"""Sauda in Hindi, written in Latin script."""

LEADS = ("Phir kehta hoon:", "Suniye,", "Ek baar phir:")
LINES = {
    "opening": ("Namaste ji! {item} pasand aaya. {price} se baat shuru karein?",),
    "concession": ("Chaliye, main thoda badhta hoon: {price}.",),
    "holding": ("Main {price} par hi hoon ji, ab aap thoda neeche aaiye.",),
    "closing": ("Ab baat pakki karte hain: {price}, abhi le jaata hoon.",),
    "accepting": ("Pakka ji! {ask} manzoor hai.",),
    "walking": ("Aaj baat nahi banegi ji. Koi baat nahi, phir kabhi!",),
    "reply": ("Samajh gaya ji. Toh daam kya lagayenge?",),
}
