"""BM25 over several fields."""

import math


def rarity(documents, holding, floor):
    """Give the rarity of a word.

    Args:
        documents: How many documents there are.
        holding: How many of them hold the word in any field.
        floor: The least that it counts.
    """
    return max(floor, math.log(1 + (documents - holding + 0.5) / (holding + 0.5)))


def weight(counts, lengths, averages, weights, b):
    """Give the weight of a word in a document; all five arguments are mappings by field.

    Args:
        counts: How often the field has the word.
        lengths: How many words the field has.
        averages: How many it has on average over all documents.
        weights: What an occurrence in it weighs.
        b: How much its length counts.
    """
    return sum(
        weights[field] * counts[field] / (1 - b[field] + b[field] * lengths[field] / averages[field])
        for field in counts
        if counts[field]
    )


def saturation(weight, k1):
    """Let a weight count less the larger it is."""
    return weight / (k1 + weight)
