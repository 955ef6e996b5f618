"""What people see of a GPU market: visible frames folded into a board, and the board drawn."""
