"""Who bargains and what is bargained for, as pictures: characters with faces, goods by kind."""
