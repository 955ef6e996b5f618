"""Sellers who answer: a population of small policies fitted to how people bargain.

A family is a row of parameter ranges (``families``), a seller one draw from it (``manner``), and
one rule turns what a seller remembers into a move (``seller``). Families that no training may meet
stand in ``held_out`` and are registered by whoever may play them.
"""
