"""The stages of training, told to somebody who has never trained anything."""

import msgspec


class Story(msgspec.Struct, frozen=True):
    """One stage in words.

    Attributes:
        kind: of its runs.
        name: as the field calls it.
        long: what the letters stand for.
        verb: what the model does in it.
        before: what is wrong when it begins.
        how: what happens, without a formula.
        fixes: what it is for, in a few words.
    """

    kind: str
    name: str
    long: str
    verb: str
    before: str
    how: str
    fixes: str


STORIES: tuple[Story, ...] = (
    Story(
        kind="base",
        name="Base",
        long="pretraining",
        verb="It reads.",
        before="In the beginning the network is noise: every next piece of a word is a guess.",
        how="It reads games, line after line, and learns to guess what comes next. It picks up how "
        "a bazaar sounds, but nobody has told it that it is the buyer.",
        fixes="noise",
    ),
    Story(
        kind="sft",
        name="SFT",
        long="supervised fine-tuning",
        verb="It copies.",
        before="It writes like a bazaar, and answers like a parrot: some of it no move at all.",
        how="Teachers of every temper have played thousands of games by rule. At every turn the "
        "model is shown what the buyer saw, and is corrected until it answers as the teacher did: "
        "one move that can be read, one line that fits its price.",
        fixes="answers nobody can read",
    ),
    Story(
        kind="grpo",
        name="GRPO",
        long="group relative policy optimisation",
        verb="It plays.",
        before="It bargains as well as its teachers, and no better: a copy has no aim of its own.",
        how="Now nobody shows it anything. It plays the same game several times over, a little "
        "different each time. Whatever went better than its own average is made likelier, whatever "
        "went worse, rarer. A tether to the copy keeps it from forgetting how to speak.",
        fixes="giving away too much, too soon",
    ),
    Story(
        kind="dpo",
        name="DPO",
        long="direct preference optimisation",
        verb="It is compared.",
        before="A score knows the price of everything: it does not see a clumsy close.",
        how="The model plays one game twice, once calmly and once boldly. A judge reads both and "
        "says which buyer did better and why. The model is moved towards the one, away from the "
        "other. The judge is a program, so this is learning from machine preference.",
        fixes="clumsy words and closings",
    ),
)
