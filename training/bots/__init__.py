"""Bring your own bot: agents from elsewhere that play the suites and stand on the board."""
