"""The one who wants the others gone. Slots: price, item."""

from arena.auction.web.lines.kinds import Lines

LINES: Lines = {
    "opening": (
        "{price}. Take it or waste my time.",
        "Seedha bolta hoon: {price}.",
        "{price} for the {item}. I don't do small talk.",
        "Everyone can go home. {price}.",
    ),
    "bidding": (
        "{price}. That was generous of me.",
        "Fine, {price}. Don't get used to it.",
        "{price}. Jaldi kijiye.",
        "I am at {price}. Where are you?",
    ),
    "raising": (
        "Who was that? {price}.",
        "{price}. Aur koi hai?",
        "You want a fight? {price}.",
        "Out of my way: {price}.",
        "{price}. I can do this all day. Well, nearly.",
        "Theek hai, {price}. Ab bolo.",
    ),
    "leading": (
        "I am in front. Bring that ask down.",
        "My bid stands. Your move, seller.",
        "Sabse aage main. Ab neeche aaiye.",
        "I don't bid against myself.",
        "Nobody here is serious. I can tell.",
        "Waiting. Tick tock.",
        "Aapka number, meri boli. Thoda sharam.",
    ),
    "waiting": (
        "Let them bleed. I wait.",
        "Not a paisa more this round.",
        "Dekhte hain kitna dam hai inmein.",
        "I have seen better pieces.",
        "Wake me when you are reasonable.",
        "I said my price.",
        "Abhi mood nahi hai.",
    ),
    "bluffing": ("I can go much higher. Try me.", "Next round I bury you all."),
    "taking": (
        "{price}. Mine. Pack it.",
        "Done at {price}, before anyone wakes up.",
        "{price}, le gaya main.",
    ),
    "leaving": (
        "Keep it. My patience is over.",
        "Bas. There are other shops.",
        "You people are crazy. I'm out.",
        "Chalta hoon. Enjoy overpaying.",
    ),
    "silent": ("You heard me.", "That is my word.", "Likh lo."),
}
