"""All metrics: names, help texts, labels. No label is a tenant, user, task or address."""

from typing import Literal

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
)

ANSWER_S = (0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 4, 7, 10, 15, 30, 60)
NODE_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
INGEST_S = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600)
CHAIN = (1, 2, 3, 4, 5, 6, 8, 10)
REVIEW_S = (60, 300, 900, 3_600, 14_400, 28_800, 86_400, 172_800, 345_600, 604_800, 1_209_600)

Joined = Literal["livesum", "livemin", "livemax", "livemostrecent"]
"""How gauges of several workers are combined, over those that are alive."""


class Metrics:
    """The metrics of one registry; those without labels are exported from the start."""

    def __init__(self, into: CollectorRegistry) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # they double the lines

        def count(name: str, about: str, *labels: str) -> Counter:
            return Counter(f"tabwright_{name}", about, labels, registry=into)

        def spread(name: str, about: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
            return Histogram(f"tabwright_{name}", about, labels, buckets=buckets, registry=into)

        def level(name: str, about: str, *labels: str, joined: Joined = "livesum") -> Gauge:
            return Gauge(
                f"tabwright_{name}", about, labels, registry=into, multiprocess_mode=joined
            )

        # fmt: off
        # HTTP
        self.requests = count("requests", "HTTP requests, by route template", "method", "route", "status")
        self.request_s = spread("request_seconds", "Time to the end of a response or the start of a stream",
                                ANSWER_S, "method", "route")
        self.streams = level("streams_open", "Open event streams")
        # Tasks
        self.runs = spread("pass_seconds", "Server time of interact requests, including models",
                             ANSWER_S, "answer", "complexity")
        self.nodes = spread("node_seconds", "Duration of graph node visits", NODE_S, "node")
        self.running = level("runs_running", "Interact requests in progress")
        self.tasks_started = count("tasks_begun", "Tasks started")
        self.tasks_ended = count("tasks_ended", "Tasks that ended", "status", "complexity")
        self.simple = spread("simple_task_seconds", "Total server time of completed SIMPLE tasks", ANSWER_S)
        self.classified = count("classifications", "Classified goals, by whether the class was kept",
                                "level", "outcome")
        # Models and searches
        self.calls = count("model_calls", "Model and embedder calls", "kind", "provider", "model", "outcome")
        self.call_s = spread("model_call_seconds", "Duration of model calls", ANSWER_S, "provider", "model")
        self.tokens = count("tokens", "Tokens; input includes cached, output includes thinking",
                            "provider", "model", "type")
        self.cost = count("cost_usd", "Cost of all calls in USD", "provider", "model")
        self.unpriced = count("unpriced_calls", "Calls of unknown price, counted as 0", "provider", "model")
        self.searches = count("searches", "Web searches", "provider", "outcome")
        self.leaks = count("instructions_leaked", "Replies discarded because they repeated the instructions")
        # Actions
        self.observations = count("looks", "Observations after actions, by what became of the plan", "plan")
        self.verdicts = count("verifications", "Verdicts on actions", "tier", "outcome")
        self.corrections = count("corrections", "Settled corrections", "strategy", "source", "outcome")
        self.predictions = count("predictions", "Checkable predictions", "outcome")
        self.chain_actions = spread("chain_actions", "Actions sent together", CHAIN)
        self.chains = count("chains", "Finished chains of two or more actions", "outcome")
        self.chained = count("chained_actions", "Actions of such chains that were started")
        self.saved = count("round_trips_saved", "Round trips saved by chains")
        self.questions_asked = count("questions_asked", "Questions asked", "kind")
        self.questions_answered = count("questions_answered", "Questions answered", "kind")
        self.learned = count("skills_learned", "Lessons stored as skills, new or known")
        self.uses = count("skill_uses", "Uses of skills", "outcome")
        self.crowded = level("tenants_near_skill_limit", "Tenants with 8,000+ skills", joined="livemax")
        # Documents
        self.documents = count("documents", "Ingested documents, by outcome", "outcome")
        self.unread = count("documents_unread", "Documents that could not be read", "code")
        self.ingest_s = spread("ingest_seconds", "Duration of ingestion jobs", INGEST_S, "kind", "status")
        # The review queue
        self.reviews = level("review_records", "Review queue records", "location", joined="livemostrecent")
        self.review_oldest = level("review_oldest_age_seconds", "Age of the oldest pending record, or 0",
                                   joined="livemostrecent")
        self.review_damaged = level("review_damaged", "Unreadable records of the review queue",
                                    joined="livemostrecent")
        self.review_submitted = count("review_submissions", "Records submitted to the review queue")
        self.review_decided = count("review_decisions", "Review decisions", "outcome")
        self.review_refused = count("review_refused", "Rejected writes of records or decisions")
        self.review_s = spread("review_time_to_decision_seconds", "From submission to decision", REVIEW_S)
        # The process
        self.waiting = level("queue_waiting", "Items waiting to be written or sent", "queue")
        self.dropped = count("queue_dropped", "Items dropped as their target was unavailable", "queue")
        self.store_up = level("store_up", "Whether the store accepts writes", joined="livemin")
        self.store_ping = level("store_ping_seconds", "Latency of a write to the store", joined="livemax")
        self.disk_free = level("data_disk_free_ratio", "Free share of the data disk", joined="livemin")
        self.build = level("build_info", "Running version; always 1", "version", "python", joined="livemax")
        # fmt: on
