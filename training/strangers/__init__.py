"""Buyers against sellers that no training has met: the house's talking sellers."""
