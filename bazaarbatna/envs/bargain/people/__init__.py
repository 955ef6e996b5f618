"""Sellers of the population by the thousand: the rules of ``engine.people`` over arrays."""
