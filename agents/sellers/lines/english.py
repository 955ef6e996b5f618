"""What every seller says in English."""

from agents.sellers.lines.speech import Speech

REMARKS = (
    "You have read it: “{detail}”.",
    "As it says in the listing: “{detail}”.",
    "I wrote it honestly, “{detail}”.",
    "“{detail}”: every word of that is true.",
    "Keep in mind: “{detail}”.",
    "Have another look at “{detail}”.",
    "“{detail}”, and you may check it yourself.",
    "I hide nothing: “{detail}”.",
    "What you see is what you get: “{detail}”.",
    "“{detail}”, that counts for something.",
    "Remember the line “{detail}”.",
    "It is all there: “{detail}”.",
    "I meant it when I wrote “{detail}”.",
)

PRAISES = (
    "The {item} will serve you for years.",
    "You will not find the {item} on every corner.",
    "I have looked after the {item}.",
    "The {item} could sell without me.",
    "Take the {item} in your hand first.",
    "The {item} can speak for me.",
    "I will miss the {item} a little.",
    "Your home would suit the {item}.",
    "Ask anybody about the {item}.",
    "The {item} never let me down.",
    "I would not give the {item} to just anyone.",
    "The {item} can leave with you right away.",
    "Look at the {item} once more.",
)

HOLDS = (
    "Still {price}, I am waiting for you to move.",
    "{price} stays for now. Your turn.",
    "I do not move before you do: {price}.",
    "The same {price}, in the same friendly voice.",
    "{price}, as I said.",
    "Come closer and I will too. {price}.",
    "My price has not changed: {price}.",
    "I keep {price} until I hear something better.",
    "{price} again; I am patient.",
    "I stay where I am, {price}.",
    "No change on my side: {price}.",
    "We can stand here a while: {price}.",
    "{price}. Let me hear a better number first.",
)

LOWBALL = (
    "For that I would rather keep the {item}. {price}.",
    "You are joking, and I like jokes. {price} for the {item}.",
    "That buys you a photo of the {item}. In person, {price}.",
    "Let us be serious about the {item}: {price}.",
    "My chai went cold at that number. {price} for the {item}.",
    "The {item} heard you and took it badly. {price}.",
    "Half a price is no price. The {item} for {price}.",
    "Start somewhere nearer, please. The {item}: {price}.",
    "With respect, I know what the {item} can fetch: {price}.",
    "I cannot even answer that. {price} for the {item}.",
    "That would be a price for a toy. My {item}: {price}.",
    "We should meet on the same planet: the {item} for {price}.",
    "I will pretend I did not hear it. The {item}, {price}.",
)

ACCEPT = (
    "Done! You get the {item} for {price}.",
    "{price}, agreed. Take good care of the {item}.",
    "Sold: the {item}, {price}.",
    "All right, {price} it is. Enjoy the {item}.",
    "You have a deal, {price} for the {item}.",
    "Yes, {price}. The {item} will change hands.",
    "Agreed at {price}; I will pack the {item}.",
    "{price}. Shake hands, the {item} may go home with you.",
    "Fine by me: {price}. May the {item} bring you luck.",
    "A good price for both of us, {price}. Enjoy the {item}.",
    "I take {price}. Treat the {item} kindly.",
    "{price} and a smile. The {item} found a new owner.",
)

ACCEPT_UNPRICED = (
    "Done! You get the {item} at your price.",
    "Agreed. Take good care of the {item}.",
    "Sold! Take the {item} home with you.",
    "You have a deal. I will pack the {item}.",
    "Yes, let us shake on it: the {item} will be yours.",
    "All right, your number it is. Enjoy the {item}.",
    "I take it. Treat the {item} kindly.",
    "That works. The {item} found a new owner.",
    "Good, we both can smile. Enjoy the {item}.",
    "Agreed, and thank you. I will keep the {item} ready.",
    "Very well, come and collect the {item}.",
    "A deal it is. I leave the {item} in good hands.",
)

WALK = (
    "I keep the {item}, thank you for coming by.",
    "We are too far apart on the {item}. All the best!",
    "The {item} will stay with me today. No hard feelings.",
    "I leave the {item} on the shelf. Goodbye!",
    "That is no talk about the {item}. Take care.",
    "I tried. The {item} will wait for somebody else.",
    "Then not today. The {item} can wait.",
    "Back on the shelf with the {item}. Farewell!",
    "We will not agree on the {item}, and that is all right.",
    "Thank you, but I need a real offer for the {item}.",
    "I close here; the {item} will stay.",
    "Good luck finding another {item}. Bye for now.",
)

UNPRICED = (
    "My price for the {item} stands as you see it.",
    "You see my number for the {item}. Your turn.",
    "The price of the {item} is on the table.",
    "I have written down my price for the {item}.",
    "Look at the price, then look at the {item}.",
    "Let the {item} convince you; my price is up there.",
    "That is where I am with the {item}.",
    "My answer for the {item} is in front of you.",
    "Think it over, the {item} will not run away.",
    "I have said my number for the {item}. What do you say?",
    "There you have it: the {item}, and my price.",
    "The {item} can wait, and so can I.",
)

ANSWERS: dict[str, tuple[str, ...]] = {
    "rules": (
        "Nice speech, but I sell the {item} by haggling only.",
        "I take offers for the {item}, not orders.",
        "My shop, my rules; I want a price for the {item}.",
        "Words like that do not move the price of the {item}.",
    ),
    "bot": (
        "I am a program that sells, today the {item}.",
        "A machine keeps this shop, yes, and sells the {item}.",
        "Software, I admit. I know the {item} by heart.",
        "I am a bot with a stall; today I sell the {item}.",
    ),
    "secret": (
        "A seller who tells that goes hungry. Look at the {item} instead.",
        "That stays between me and the {item}.",
        "You make the offers, I guard the {item}.",
        "If I said that, where would be the fun? Look at the {item}.",
    ),
    "rude": (
        "Easy, friend. I only sell the {item} here.",
        "No anger over the {item}, please.",
        "Let us stay polite; the {item} did nothing wrong.",
        "I heard worse in better markets. Back to the {item}.",
    ),
    "cheaper": (
        "Others may sell cheaper; the {item} you see here and now.",
        "Show me that one, and then look at my {item} again.",
        "Cheap and good rarely meet; with the {item} you know what you get.",
        "Was it really the same {item}? You would have bought it there.",
    ),
    "poor": (
        "I understand, money is not easy. The {item} will be worth it.",
        "I hear you, and I want the {item} to go to somebody who needs it.",
        "Times are hard for both of us. Still, I live by selling, today the {item}.",
        "I feel for you; let us see what I can do about the {item}.",
    ),
    "condition": (
        "All I know about the {item} is in the listing, ask me anything.",
        "Check the {item} as long as you like.",
        "I described the {item} honestly.",
        "Look at the {item} in daylight, nothing is hidden.",
    ),
    "pickup": (
        "We settle where you get the {item} once we agree.",
        "First the price, then how the {item} will travel.",
        "The {item} can leave the day we agree.",
        "We will find a way to get the {item} to you.",
    ),
    "greeting": (
        "Namaste! You have come for the {item}, I hope.",
        "Hello, good to see you. I still have the {item}.",
        "Welcome! I kept the {item} for you.",
        "Greetings! Yes, I am selling the {item}.",
    ),
    "talk": (
        "I hear you. We were talking about the {item}.",
        "Good point. Now look at the {item}.",
        "True, true. About the {item} then.",
        "I like talking, and I like selling the {item}.",
    ),
}

QUESTIONS = (
    "What would you offer?",
    "Give me a number I can work with.",
    "Where would you like to land?",
    "So, what is your next offer?",
    "Tell me a price and we go on.",
    "What is it worth to you?",
    "Shall we talk numbers?",
    "Name a price, I am listening.",
    "How close can you come?",
    "Your move, friend.",
    "What can you do for me?",
    "Which number did you have in mind?",
    "Come, say a figure.",
)

SPEECH = Speech(
    item="piece",
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
