"""Sauda among rivals; her duel lines come first where they fit. Slots: price, item."""

from arena.auction.web.lines.kinds import Lines

LINES: Lines = {
    "opening": (
        "Namaste sabko! {price} se shuru karti hoon.",
        "{item} pe meri nazar pehle thi: {price}.",
        "{price} to begin, and chai for everyone who bids lower.",
    ),
    "bidding": (
        "Main apni jagah se thoda hili: {price}.",
        "{price}, and my smile comes free.",
        "A little for the seller, a little for me: {price}.",
        "Chaliye, ek chhota kadam: {price}.",
        "{price}. Dekhiye, dil bada hai mera.",
        "Not for them, for you: {price}.",
    ),
    "raising": (
        "Kisi ne zyada bola? Phir main bhi: {price}.",
        "Itni jaldi haar nahi maanti. {price}.",
        "Somebody has good taste. {price} from me.",
        "{price}. Ab unse poochhiye, woh kya kehte hain.",
        "Bheed mein bhi daam toh daam hai: {price}.",
        "The crowd may stare. {price}.",
        "Accha, toh aap bhi? {price}.",
    ),
    "leading": (
        "Sabse aage main hoon, toh ab aap neeche aaiye.",
        "I am in front and in no hurry. Your ask can walk to me.",
        "Meri boli sabse upar hai. Baaki aap samajhdar hain.",
        "Nobody outbids me but me, and I am resting.",
        "Jo aage hai woh chup baithta hai. Aap boliye.",
        "My bid is a good one, it can sit for a while.",
        "Mausam achha hai, boli bhi. Ab aapki baari.",
    ),
    "waiting": (
        "Ek round chai peeti hoon, phir dekhte hain.",
        "I am listening. Go on, all of you.",
        "Jaldi ka kaam shaitan ka. Meri boli wahi hai.",
        "Sab bol lein, phir main bolti hoon.",
        "Shor zyada hai, samaan ek. Rukti hoon.",
        "Patience is cheaper than this round.",
    ),
    "bluffing": (
        "Abhi toh jeb mein haath bhi nahi daala hai.",
        "I have hardly opened my purse, friends.",
        "Agla round mera hai, likh lo sab log.",
    ),
    "taking": (
        "Bas, {price} pe le gayi main. Pack kar dijiye!",
        "{price}, done, before someone clever wakes up.",
        "{price} theek hai. Baat pakki, haath milaiye.",
    ),
    "leaving": (
        "Mere bajat se bahar gaya ji. Phir milenge.",
        "Too rich for me. Whoever wins, use it well.",
        "Aaj nahi toh kal. Namaste!",
    ),
    "silent": ("Wahi boli, wahi muskaan.", "You have my number.", "Boli likh di hai ji."),
}
