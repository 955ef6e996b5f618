"""The GPU market for programs that learn: PettingZoo, Gymnasium, and the seat behind OpenEnv."""
