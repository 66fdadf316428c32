"""All metrics: names, help texts, labels. No label is a tenant, user, task or address."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Metrics:
    """The metrics of one registry."""

    requests: Counter
    request_s: Histogram
    streams: Gauge
    passes: Histogram
    nodes: Histogram
    running: Gauge
    begun: Counter
    ended: Counter
    simple: Histogram
    classified: Counter
    calls: Counter
    call_s: Histogram
    tokens: Counter
    cost: Counter
    unpriced: Counter
    searches: Counter
    leaks: Counter
    looks: Counter
    verdicts: Counter
    corrections: Counter
    predictions: Counter
    chain_actions: Histogram
    chains: Counter
    chained: Counter
    saved: Counter
    asked: Counter
    answered: Counter
    learned: Counter
    uses: Counter
    crowded: Gauge
    documents: Counter
    unread: Counter
    ingest_s: Histogram
    reviews: Gauge
    review_oldest: Gauge
    review_damaged: Gauge
    review_submitted: Counter
    review_decided: Counter
    review_refused: Counter
    review_s: Histogram
    waiting: Gauge
    dropped: Counter
    store_up: Gauge
    store_ping: Gauge
    disk_free: Gauge
    build: Gauge


def register_metrics(into: CollectorRegistry) -> Metrics:
    """Register the metrics; those without labels are exported from the start."""
    disable_created_metrics()  # type: ignore[no-untyped-call]  # as many lines, that nobody asks for

    def count(name: str, about: str, *labels: str) -> Counter:
        return Counter(f"tabwright_{name}", about, labels, registry=into)

    def spread(name: str, about: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"tabwright_{name}", about, labels, buckets=buckets, registry=into)

    def level(name: str, about: str, *labels: str, joined: Joined = "livesum") -> Gauge:
        made = f"tabwright_{name}"
        return Gauge(made, about, labels, registry=into, multiprocess_mode=joined)

    return Metrics(
        requests=count("requests", "Requests over HTTP, by route template", "method", "route", "status"),
        request_s=spread("request_seconds", "Until the answer has ended; of a stream, has begun",
                         ANSWER_S, "method", "route"),
        streams=level("streams_open", "Event streams that clients listen to"),
        passes=spread("pass_seconds", "Server time of a request to interact, models included",
                      ANSWER_S, "answer", "complexity"),
        nodes=spread("node_seconds", "Visits to a node of the graph", NODE_S, "node"),
        running=level("runs_running", "Requests to interact that are worked on"),
        begun=count("tasks_begun", "Goals that were taken up"),
        ended=count("tasks_ended", "Tasks that ended", "status", "complexity"),
        simple=spread("simple_task_seconds", "Server time of whole completed SIMPLE tasks", ANSWER_S),
        classified=count("classifications", "Goals classed, by whether that stood", "level", "outcome"),
        calls=count("model_calls", "Calls of models and embedders", "kind", "provider", "model", "outcome"),
        call_s=spread("model_call_seconds", "Duration of such calls", ANSWER_S, "provider", "model"),
        tokens=count("tokens", "Tokens; cached ones are part of input, thinking ones of output",
                     "provider", "model", "type"),
        cost=count("cost_usd", "Cost of all calls in USD", "provider", "model"),
        unpriced=count("unpriced_calls", "Calls without a known price, counted as 0", "provider", "model"),
        searches=count("searches", "Searches of the web", "provider", "outcome"),
        leaks=count("instructions_leaked", "Replies not used, since they repeated the model's instructions"),
        looks=count("looks", "Looks at the page after an action, by what became of the plan", "plan"),
        verdicts=count("verifications", "Verdicts on actions", "tier", "outcome"),
        corrections=count("corrections", "Corrections that were settled", "strategy", "source", "outcome"),
        predictions=count("predictions", "Predictions that could be checked", "outcome"),
        chain_actions=spread("chain_actions", "Actions sent together", CHAIN),
        chains=count("chains", "Chains of two actions or more that came back", "outcome"),
        chained=count("chained_actions", "Actions of such chains that were begun"),
        saved=count("round_trips_saved", "Round trips that chains made needless"),
        asked=count("questions_asked", "Questions put to people", "kind"),
        answered=count("questions_answered", "Questions that people answered", "kind"),
        learned=count("skills_learned", "Lessons kept as skills, new ones and known ones"),
        uses=count("skill_uses", "Uses of a skill", "outcome"),
        crowded=level("tenants_near_skill_limit", "Tenants with 8,000 skills or more", joined="livemax"),
        documents=count("documents", "Documents that came in, by what became of them", "outcome"),
        unread=count("documents_unread", "Documents that could not be read", "code"),
        ingest_s=spread("ingest_seconds", "Duration of jobs that take documents in", INGEST_S,
                        "kind", "status"),
        reviews=level("review_records", "Records of the review queue", "location",
                      joined="livemostrecent"),
        review_oldest=level("review_oldest_age_seconds", "Age of the oldest record that waits, or 0",
                            joined="livemostrecent"),
        review_damaged=level("review_damaged", "Records of the review queue that cannot be read",
                             joined="livemostrecent"),
        review_submitted=count("review_submissions", "Records that were put into the review queue"),
        review_decided=count("review_decisions", "Decisions of operators", "outcome"),
        review_refused=count("review_refused", "Invalid attempts to write a record or a decision"),
        review_s=spread("review_time_to_decision_seconds", "From submission to decision", REVIEW_S),
        waiting=level("queue_waiting", "What waits to be written or sent", "queue"),
        dropped=count("queue_dropped", "What was given up, since its store was away", "queue"),
        store_up=level("store_up", "Whether the store takes a write", joined="livemin"),
        store_ping=level("store_ping_seconds", "How long the store takes for a write", joined="livemax"),
        disk_free=level("data_disk_free_ratio", "What is free of the data folder's disk", joined="livemin"),
        build=level("build_info", "The version that runs; always 1", "version", "python", joined="livemax"),
    )  # fmt: skip
