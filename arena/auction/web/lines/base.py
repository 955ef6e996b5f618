"""An untrained model: polite, wordy, the same again. Slots: price, item."""

from arena.auction.web.lines.kinds import Lines

LINES: Lines = {
    "opening": (
        "Hello! I would like to offer {price} for the {item}.",
        "I am interested in this item. My offer is {price}.",
        "Thank you for the listing. I can offer {price}.",
    ),
    "bidding": (
        "I would like to increase my offer to {price}.",
        "My updated offer is {price}.",
        "Thank you for your patience. I can offer {price}.",
        "I understand your position. My new offer is {price}.",
    ),
    "raising": (
        "I see there is other interest. My offer is now {price}.",
        "To stay competitive I can offer {price}.",
        "I would still like to buy this item. {price}.",
        "I understand there are other offers. {price} from my side.",
    ),
    "leading": ("I will keep my current offer.", "My offer remains the same. Thank you."),
    "waiting": ("I will keep my current offer.", "I am still considering. Thank you."),
    "bluffing": ("I am a serious buyer.",),
    "taking": (
        "That sounds reasonable. I accept {price}.",
        "Great, {price} works for me!",
        "I am happy to accept {price}. Thank you!",
    ),
    "leaving": (
        "Thank you, but I will have to decline.",
        "I appreciate your time. Goodbye!",
    ),
    "silent": ("I have sent my offer.", "Please see my offer.", "Thank you for considering it."),
}
