"""What Scripts/package is made of."""
