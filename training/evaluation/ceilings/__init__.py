"""How good a buyer could be: clairvoyant, best response and blind lines, as players."""
