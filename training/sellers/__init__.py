"""Sellers of evaluations and of training: drawn at random, or the talking ones of the house."""
