"""One module a benchmark."""
