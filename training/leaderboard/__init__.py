"""The board: ratings of policies and people, with what is known about their uncertainty."""
