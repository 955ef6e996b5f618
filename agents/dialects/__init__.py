"""How a model is spoken to: the prompt of a position, and the model's own text read as a move.

A checkpoint names the dialect it was trained in; training, evaluation and live play use the same.
"""
