"""What can be wrong with a coalition game or with a split of its worth.

CoalitionGameError
├── BadPlayers       nobody plays, too many do, or two have one name
├── BadCoalition     a group that is not made of the game's players, or is named twice
├── WorthMissing     a coalition has no worth
├── BadWorth         a worth, share or weight that is no usable number
├── BadSplit         a split that does not name each player once
└── BadTextbookGame  numbers that make no game of the kind asked for
"""


class CoalitionGameError(ValueError):
    """The game or the split was refused."""

    code = "coalition-game-refused"


class BadPlayers(CoalitionGameError):
    """A game has one to ten players, each with a name of its own."""

    code = "bad-players"


class BadCoalition(CoalitionGameError):
    """A coalition is a group of the game's players, and each has one worth."""

    code = "bad-coalition"


class WorthMissing(CoalitionGameError):
    """Every coalition needs a worth; the message lists some that have none."""

    code = "worth-missing"


class BadWorth(CoalitionGameError):
    """A worth is a finite number, and that of nobody is 0."""

    code = "bad-worth"


class BadSplit(CoalitionGameError):
    """A split gives each player of the game one share, and nobody else any."""

    code = "bad-split"


class BadTextbookGame(CoalitionGameError):
    """These numbers make no game of the kind asked for."""

    code = "bad-textbook-game"
