"""Inspect scorers and metrics, and the judge behind them."""
