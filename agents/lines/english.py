"""Sauda in English."""

LEADS = ("Like I said:", "Listen,", "Once more:")
LINES = {
    "opening": ("Namaste! Nice {item}. Shall we start at {price}?",),
    "concession": ("Okay, I came up: {price}.",),
    "holding": ("I am still at {price}. Your turn to move.",),
    "closing": ("Let's finish this: {price} and I leave happy.",),
    "accepting": ("Done! {ask} it is. Pleasure doing business.",),
    "walking": ("We are too far apart today. All the best with the sale!",),
    "reply": ("I hear you. What price do you have in mind?",),
}
