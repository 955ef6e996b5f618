"""A match as an environment for several learners: no Django here."""
