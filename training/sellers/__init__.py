"""Sellers of evaluations and of training: drawn at random, or the site's talking ones."""
