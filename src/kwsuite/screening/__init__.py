"""The calibration screen: which gated tasks to keep, from logs of three cells of runs."""
