"""Attacks on the site's own models, for developers: nothing that serves visitors imports this."""
