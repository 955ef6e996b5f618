"""Sellers drawn at random, to learn from: no two are alike, and none is met in an evaluation."""
