"""Which control of one look is which of the next."""

from collections import defaultdict

from app.domain.page import Node, Observation


def match(
    before: Observation, after: Observation
) -> tuple[list[tuple[Node, Node]], tuple[Node, ...], tuple[Node, ...]]:
    """Pairs, those only before, those only after.

    Three passes: the same id and signature; the same signature, in order; the same id and role.
    """
    partner = after.tree.by_id.get
    pairs: list[tuple[Node, Node]] = []
    left: list[Node] = []
    taken: set[str] = set()
    for node in before.tree.nodes:
        same = partner(node.id)
        if (
            same is not None
            and node.name == same.name
            and node.role == same.role
            and node.group == same.group
        ):
            pairs.append((node, same))
            taken.add(same.id)
        else:
            left.append(node)
    spare = [n for n in after.tree.nodes if n.id not in taken]
    if left and spare:
        left, spare = _match_signatures(left, spare, pairs)
    if left and spare:
        left, spare = _match_ids(left, spare, pairs)
    return pairs, tuple(left), tuple(spare)


def _match_signatures(
    left: list[Node], spare: list[Node], pairs: list[tuple[Node, Node]]
) -> tuple[list[Node], list[Node]]:
    waiting: dict[tuple[str, str, str], list[Node]] = defaultdict(list)
    for node in reversed(spare):
        waiting[node.signature].append(node)
    rest, taken = [], set()
    for node in left:
        queue = waiting.get(node.signature)
        if queue:
            partner = queue.pop()
            taken.add(partner.id)
            pairs.append((node, partner))
        else:
            rest.append(node)
    return rest, [n for n in spare if n.id not in taken]


def _match_ids(
    left: list[Node], spare: list[Node], pairs: list[tuple[Node, Node]]
) -> tuple[list[Node], list[Node]]:
    by_id = {n.id: n for n in spare}
    rest, taken = [], set()
    for node in left:
        partner = by_id.get(node.id)
        if partner is not None and partner.role == node.role:
            taken.add(partner.id)
            pairs.append((node, partner))
        else:
            rest.append(node)
    return rest, [n for n in spare if n.id not in taken]
