"""What models learn from: teacher games, as rows for SFT and as prose for pretraining."""
