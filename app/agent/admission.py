"""Whether a request may begin: in a session of one's own, and within what a tenant may run at once."""

from datetime import UTC, datetime, timedelta

from app.agent.calls import InteractCall
from app.agent.state import AgentState
from app.domain.task import Task
from app.errors import NotFound, TooManyTasks
from app.store.port import Store

RUNNING_TASKS = 100  # of one tenant at once, see `Settings.running_tasks`
LATELY = timedelta(minutes=5)  # a runner comes back within seconds; a question waits so long
RUNS_S = 60.0  # a run's lease ends sooner, a pause's later


def refuse_persons_part(call: InteractCall) -> None:
    """Raises `ConsentNeedsBrowser` for what a person's browser alone may do: carry out what was delegated to
    it, and hand a task back that the person had taken over.
    """
    if call.delegation_id is not None or call.hand_back is not None:
        call.principal.require("browser")


def refuse_browsers_task(call: InteractCall, state: AgentState) -> None:
    """Raises `ConsentNeedsBrowser` for a task that a person began in their browser: with another goal, or
    from another page, it would go on there as if they had said so.
    """
    if state["in_browser"]:
        call.principal.require("browser")


async def refuse_anothers_task(store: Store, call: InteractCall, task: Task | None) -> None:
    """Raises `NotFound` for a task that another person began, before a lease or a pause of it is touched.
    One that has done nothing yet has no row: then its lease tells whose it is, or at last its thread.
    """
    if call.task_id is None:
        return
    tenant = call.principal.tenant
    began = task.user if task is not None else await store.leases.user(tenant, call.task_id)
    if began is not None and not call.principal.sees(began):
        raise NotFound(f"There is no task {call.task_id!r}")


async def refuse_anothers_session(store: Store, call: InteractCall, task: Task | None) -> None:
    """Raises `NotFound` for a session that another person began. The session of the task itself is not
    looked up: a plain continuation costs nothing.
    """
    named = call.session_id
    if named is None or (task is not None and task.session_id == named):
        return
    session = await store.sessions.find(call.principal.tenant, named)
    if session is not None and not call.principal.sees(session.user):
        raise NotFound(f"There is no session {named!r}")


async def refuse_too_many(store: Store, tenant: str, task_id: str, *, most: int) -> None:
    """Raises `StorageFull` without room for what a run writes, and `TooManyTasks` where the tenant has
    `most` tasks under way beside the new one: those whose run is at work now, turns of conversations among
    them, and those that execute in a browser.
    """
    store.space.require()
    since = datetime.now(UTC) - LATELY
    running = await store.leases.alive(tenant, within_s=RUNS_S, limit=most + 1)
    running |= await store.tasks.executing(tenant, since=since, limit=most + 1)
    if len(running - {task_id}) < most:
        return
    raise TooManyTasks(f"{most} tasks of this tenant are under way; wait for one to end")
