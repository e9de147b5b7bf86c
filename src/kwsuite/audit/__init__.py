"""What `kwsuite check` proves about shipped and authored items."""
