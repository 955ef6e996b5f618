"""Sauda's words: the model in the box learns them from the exchanges of the corpus."""
