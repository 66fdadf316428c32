"""Policy for benchmarks: act without asking, since nobody is there to answer."""

import httpx


async def let_act_unasked(api: httpx.AsyncClient) -> None:
    """Set the policy of this key's tenant to act on every site without asking; the key must be an admin's."""
    policy = {"approvals": {"mode": "risky", "neverFor": ["*"]}}
    (await api.put("/api/policy", json=policy)).raise_for_status()
