"""Price games by the hundred thousand: arrays in, results out, equal to the engine's games."""
