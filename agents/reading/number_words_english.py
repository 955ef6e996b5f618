"""English number words as values."""

UNITS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
"""Words below twenty."""

TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "fivty": 50,
    "sixty": 60, "seventy": 70, "sevanty": 70, "eighty": 80, "ninety": 90, "ninty": 90,
}  # fmt: skip
"""Words that take a unit after them: twenty five."""

SCALES = {
    "hundred": 100, "hundreds": 100, "hundered": 100, "thousand": 1000, "thousands": 1000,
    "thousnd": 1000, "thou": 1000, "grand": 1000, "k": 1000, "million": 1_000_000,
}  # fmt: skip
"""Words that multiply what stands before them."""
