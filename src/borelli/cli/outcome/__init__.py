"""What commands tell of what they made: how far to trust it, what was found, what to ask next."""
