"""The one who has done the sums. Slots: price, item."""

from arena.auction.web.lines.kinds import Lines

LINES: Lines = {
    "opening": (
        "A fair place to begin: {price}.",
        "I looked up a few of these. {price} to start.",
        "{price} for the {item}, and we can talk from there.",
        "Let us keep this sensible, everybody: {price}.",
    ),
    "bidding": (
        "Half of the way from my side: {price}.",
        "{price}. We are getting closer.",
        "I can justify {price}.",
        "Aadhe raaste main aata hoon: {price}.",
    ),
    "raising": (
        "If someone is ahead, then {price}.",
        "Noted. {price} from me.",
        "I still think it is worth it: {price}.",
        "{price}. The numbers still work.",
        "Ek kadam aur: {price}.",
        "All right, a proper answer: {price}.",
    ),
    "leading": (
        "I am in front, so the next step is yours.",
        "My bid is fair; let us see your price come down.",
        "Main ruk sakta hoon. Aap sochiye.",
        "No hurry from my side.",
        "The market seems to agree with me.",
        "I have said a fair number and I stand by it.",
        "Sabr rakhte hain.",
    ),
    "waiting": (
        "I would rather wait a round.",
        "My bid stays where it is.",
        "Let us see who means it.",
        "Thoda ruk kar dekhte hain.",
        "At this level I would only be guessing.",
        "I am close to what it is worth to me.",
        "Numbers pehle, dil baad mein.",
    ),
    "bluffing": ("There is room on my side.", "I have not even started."),
    "taking": (
        "{price} is within reason. I take it.",
        "At {price} waiting is the bigger risk. Done.",
        "Theek hai, {price}. Pakka.",
    ),
    "leaving": (
        "It is worth more to somebody else. Good luck.",
        "The sums no longer work for me.",
        "Mere hisaab se bahar hai. Chalta hoon.",
    ),
    "silent": ("My offer is on the table.", "You know my number.", "Same as I wrote down."),
}
