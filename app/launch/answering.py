"""Questions of a run without a window, answered in the terminal: one more inbox."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
from rich.console import Console

YES = "yes"


async def waiting(api: httpx.AsyncClient, task_id: str | None) -> dict[str, Any] | None:
    """The question that the task waits with, or the newest of all where its id is not known yet."""
    answer = await api.get("/api/hitl", params={"status": "pending"})
    items: list[dict[str, Any]] = answer.raise_for_status().json()["items"]
    mine = [one for one in items if task_id is None or one["taskId"] == task_id]
    return mine[0] if mine else None


async def answered(
    api: httpx.AsyncClient,
    question: dict[str, Any],
    console: Console,
    *,
    agrees: bool,
    ask: Callable[[str], str] | None,
) -> bool:
    """Have the question answered; False where nobody is here to. `agrees` says yes to what is to be
    approved and to nothing else; an empty line cancels.
    """
    show(question, console)
    if agrees and question["kind"] == "approval":
        console.print("  yes (--yes)", style="dim", highlight=False)
        await _send(api, question, YES)
        return True
    while ask is not None:
        said = (await asyncio.to_thread(ask, "  > ")).strip()
        if (refused := await _send(api, question, said or None)) is None:
            return True
        console.print(f"  {refused}", highlight=False, markup=False)
    return False


def show(question: dict[str, Any], console: Console) -> None:
    """The question as it is asked, its options by number."""
    lines = [question["message"]]
    approval = question.get("approval") or {}
    if approval.get("undo") and approval["undo"] not in question["message"]:
        lines.append(f"  {approval['undo']}")
    if question["expectedInput"] != "yes_no":
        lines += [f"  {one['id']}  {one['label']}" for one in question["options"]]
    hint = "yes or no" if question["expectedInput"] == "yes_no" else "an empty line cancels"
    console.print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)
    console.print(f"  ({hint})", style="dim", highlight=False)


async def _send(api: httpx.AsyncClient, question: dict[str, Any], said: str | None) -> str | None:
    """Record the answer; why it was not taken, None when it was or came too late."""
    kind = "cancel" if said is None else question["interruptType"]
    body = {"type": kind, "value": said}
    answer = await api.post(f"/api/hitl/{question['hitlId']}/answer", json=body)
    if answer.status_code == httpx.codes.UNPROCESSABLE_ENTITY:
        return str(answer.json().get("detail", "That is no answer to it."))
    if answer.status_code in (httpx.codes.CONFLICT, httpx.codes.BAD_REQUEST):
        return None
    answer.raise_for_status()
    return None
