"""The program that runs inside a sandbox. Nothing of it is imported on the host."""
