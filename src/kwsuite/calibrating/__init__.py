"""Pairs from logs for people to label, and the threshold at which a measure agrees with them best."""
