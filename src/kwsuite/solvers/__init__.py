"""What a candidate is shown, and how it acts."""
