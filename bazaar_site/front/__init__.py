"""What the front page shows: haggles, figures, diagrams, and how the site is doing."""
