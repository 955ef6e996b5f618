"""Labs that a trained model plays: their cards on disk, their seat, and their names."""
