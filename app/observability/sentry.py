"""Sentry as an observer: unexpected exceptions, with a trail of named steps.

Off without `SENTRY_DSN`. Every exception logged as an error is sent, except those of our own error
tree, which are normal responses. Traces, prompts and costs go to LangFuse (decision 0027).
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any

import structlog

from app import logs
from app.domain.metrics.telemetry import ModelExchange, RunReport
from app.domain.metrics.usage import UsageRecord
from app.errors import TabwrightError
from app.observability.config import Misconfigured, environment_name, release, sentry_dsn
from app.observability.port import Observer, visited_nodes
from app.observability.sentry_allow_list import scrub_breadcrumb, scrub_event
from app.settings import Settings

log = structlog.get_logger(__name__)

END_S = 0.7  # LangFuse closes first; both take two seconds at most
# Disable all automatic collection, so there is less to scrub.
NOTHING: Any = {
    "user_info": False,
    "cookies": {"mode": "off"},
    "http_headers": {"request": {"mode": "off"}},
    "http_bodies": [],
    "url_query_params": {"mode": "off"},
    "graphql": {"document": False, "variables": False},
    "gen_ai": {"inputs": False, "outputs": False},
    "database_query_data": False,
    "queues": False,
    "stack_frame_variables": False,
    "frame_context_lines": 0,
}
TASKS, CRUMBS = 500, 30  # breadcrumbs kept: the last steps of the last tasks


Breadcrumb = dict[str, Any]  # in Sentry's format, consisting of names only


class SentryObserver(Observer):
    """Remembers the steps of tasks, and sends them with the exception that ended one."""

    def __init__(self) -> None:
        self._crumbs: OrderedDict[tuple[str, str], deque[Breadcrumb]] = OrderedDict()

    def on_call(self, record: UsageRecord, exchange: ModelExchange | None) -> None:
        data = {"outcome": record.outcome, "kind": record.kind}
        crumb = _breadcrumb(record.created_at, "call", record.purpose, data)
        self._add_crumb(record.tenant, record.task_id, crumb)

    def on_run(self, report: RunReport) -> None:
        crumbs = [_breadcrumb(node.ended_at, "node", node.node) for node in report.nodes]
        data = {"status": report.status}
        crumbs.append(_breadcrumb(report.ended_at, "answer", report.answer, data))
        for crumb in crumbs:
            self._add_crumb(report.tenant, report.task_id, crumb)

    def capture(self, error: BaseException, about: Mapping[str, Any]) -> None:
        """Send an exception that was logged as an error; `about` are the fields of its log line."""
        import sentry_sdk  # noqa: PLC0415 (only where it is used)

        if (
            isinstance(error, TabwrightError)
            or not isinstance(error, Exception)
            or _was_sent(error)
        ):
            return
        tenant, task = str(about.get("tenantId", "")), str(about.get("taskId", ""))
        with sentry_sdk.new_scope() as scope:
            now = datetime.now(UTC)
            current = (_breadcrumb(now, "node", node) for node in visited_nodes())
            for crumb in (*self._crumbs.get((tenant, task), ()), *current):
                scope.add_breadcrumb(crumb)
            tags = {
                "tenant": tenant,
                "task": task,
                "trace": str(about.get("traceId", "")),
                # Messages of library loggers can contain anything; ours are fixed strings.
                "event": str(about.get("logger") or about.get("event", "")),
            }
            scope.set_tags({key: value for key, value in tags.items() if value})
            scope.capture_exception(error)

    def _add_crumb(self, tenant: str, task: str, crumb: Breadcrumb) -> None:
        crumbs = self._crumbs.setdefault((tenant, task), deque(maxlen=CRUMBS))
        self._crumbs.move_to_end((tenant, task))
        crumbs.append(crumb)
        if len(self._crumbs) > TASKS:
            self._crumbs.popitem(last=False)


@asynccontextmanager
async def open_sentry(settings: Settings) -> AsyncIterator[SentryObserver | None]:
    """Open Sentry; send logged exceptions, and one that ends the context. None without a DSN."""
    if not await asyncio.to_thread(_start_sdk, settings):
        yield None
        return
    observer = SentryObserver()
    logs.set_exception_hook(observer.capture)
    try:
        yield observer
    except Exception as error:
        observer.capture(error, {"event": "the process failed"})
        raise
    finally:
        logs.set_exception_hook(None)
        await asyncio.to_thread(_close)


def _start_sdk(settings: Settings) -> bool:
    """Initialize Sentry; return whether that worked. A failure does not prevent the start."""
    try:
        dsn = sentry_dsn(settings)
        if dsn is not None:
            _init(dsn, environment_name(settings.environment))
    except Misconfigured as error:
        log.warning("sentry is off", reason=str(error))
    except ValueError as error:  # includes the SDK's BadDsn, whose message may contain the DSN
        log.warning("sentry is off", reason=type(error).__name__)
    else:
        return dsn is not None
    return False


def _init(dsn: str, environment: str) -> None:
    import sentry_sdk  # noqa: PLC0415 (takes a while, and only where it is used)

    sentry_sdk.init(
        dsn=dsn,
        release=release(),
        environment=environment,
        server_name="",
        in_app_include=["app"],
        default_integrations=False,
        auto_enabling_integrations=False,
        data_collection=NOTHING,
        max_request_body_size="never",
        max_breadcrumbs=100,
        auto_session_tracking=False,
        enable_backpressure_handling=False,
        enable_metrics=False,
        traces_sample_rate=None,
        propagate_traces=False,
        spotlight=False,
        shutdown_timeout=END_S,
        before_send=_before_send,
        before_send_transaction=lambda _, __: None,
        before_breadcrumb=lambda crumb, _: scrub_breadcrumb(crumb),
    )


def _before_send(event: Any, hint: dict[str, Any]) -> Any:  # noqa: ANN401 (Sentry's own shapes)
    hint["attachments"] = []
    return scrub_event(event) if event.get("exception") else None


def _was_sent(error: Exception) -> bool:
    """Whether this exception was sent before: a run and its request both log it."""
    known = bool(getattr(error, "sent_to_sentry", False))
    with suppress(AttributeError):  # a class may not allow attributes
        error.sent_to_sentry = True  # type: ignore[attr-defined]
    return known


def _close() -> None:
    """Flush for `END_S` at most, and shut the SDK down."""
    import sentry_sdk  # noqa: PLC0415

    sentry_sdk.get_client().close(timeout=END_S)
    sentry_sdk.get_global_scope().set_client(None)


def _breadcrumb(
    at: datetime, category: str, message: str, data: Mapping[str, str] | None = None
) -> Breadcrumb:
    return {"timestamp": at, "category": category, "message": message, "data": dict(data or {})}
