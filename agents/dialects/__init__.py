"""How a model is spoken to: the prompt of a position, and its text read as a move."""
