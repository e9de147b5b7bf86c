"""Betweenness on weighted undirected graphs."""

import heapq


def betweenness(nodes, edges):
    """Give the raw sums: for each node the paths through it, each pair of others counted once.

    Args:
        nodes: The nodes.
        edges: From a pair of nodes to the length of the edge between them.
    """
    near = {node: {} for node in nodes}
    for (one, other), length in edges.items():
        near[one][other] = near[other][one] = length
    sums = dict.fromkeys(near, 0.0)
    for source in near:
        order, before, count, reached = [], {node: [] for node in near}, dict.fromkeys(near, 0.0), {source: 0.0}
        count[source] = 1.0
        queue, closed = [(0.0, 0, source)], set()
        ticket = 0
        while queue:
            length, _, node = heapq.heappop(queue)
            if node in closed:
                continue
            closed.add(node)
            order.append(node)
            for other, step in near[node].items():
                total = length + step
                if other not in reached or total < reached[other] - 1e-9:
                    reached[other], count[other], before[other] = total, count[node], [node]
                    ticket += 1
                    heapq.heappush(queue, (total, ticket, other))
                elif abs(total - reached[other]) <= 1e-9 and other not in closed:
                    count[other] += count[node]
                    before[other].append(node)
        share = dict.fromkeys(near, 0.0)
        for node in reversed(order):
            for other in before[node]:
                share[other] += count[other] / count[node] * (1 + share[node])
            if node != source:
                sums[node] += share[node] / 2
    return sums


def scale(raw, people):
    """Scale a raw sum by the pairs among the other people; 0 for fewer than three people."""
    return raw / ((people - 1) * (people - 2) / 2) if people > 2 else 0.0
