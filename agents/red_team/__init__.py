"""Attacks on the house's own models, for developers: nothing that serves visitors imports this."""
