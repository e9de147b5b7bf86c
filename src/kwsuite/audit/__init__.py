"""`kwsuite check`: what is wrong with shipped or brought data, found without a model."""
