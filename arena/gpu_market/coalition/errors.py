"""What can be wrong with a coalition game or with a split of its worth.

CoalitionGameError
├── BadPlayers    nobody plays, too many do, or two have one name
├── BadCoalition  a group that is not made of the game's players
├── BadWorth      a worth or share that is no usable number
└── BadSplit      a split that does not name each player once
"""


class CoalitionGameError(ValueError):
    """The game or the split was refused."""

    code = "coalition-game-refused"


class BadPlayers(CoalitionGameError):
    """A game has one to ten players, each with a name of its own."""

    code = "bad-players"


class BadCoalition(CoalitionGameError):
    """A coalition is a group of the game's players."""

    code = "bad-coalition"


class BadWorth(CoalitionGameError):
    """A worth or a share is a finite number, at most 1e9 in size."""

    code = "bad-worth"


class BadSplit(CoalitionGameError):
    """A split gives each player of the game one share, and nobody else any."""

    code = "bad-split"
