"""Small models of this machine, run by llama.cpp."""
