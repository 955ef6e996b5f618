"""The GPU market: labs bargain for scarce compute before a paper deadline."""
