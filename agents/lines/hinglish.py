"""Sauda in Hinglish."""

LEADS = ("Phir se:", "Suniye,", "Ek baar aur:")
LINES = {
    "opening": ("Namaste ji! {item} achha laga. {price} se shuru karein?",),
    "concession": ("Chaliye, thoda main badhta hoon: {price}.",),
    "holding": ("Main {price} pe hi hoon ji, ab aap thoda aaiye.",),
    "closing": ("Ab final karte hain: {price}, abhi utha leta hoon.",),
    "accepting": ("Done ji! {ask} pakka. Maza aa gaya.",),
    "walking": ("Aaj baat nahi ban rahi ji. Koi baat nahi, best of luck!",),
    "reply": ("Samajh gaya ji. Toh price kya lagayenge?",),
}
