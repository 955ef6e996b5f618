"""Blind pairs: one seller's line, answered by every voice of Sauda, judged without names."""
