"""Hindi: thousands, then lakhs and crores."""
