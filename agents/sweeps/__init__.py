"""Rule buyers in sweeps: the same proposals as ``agents/buyers``, for many games at once."""
