"""Every index and TTL in one table; `index_build` creates the missing ones. Unique indexes start with
`tenantId`, the shard key of a sharded cluster.

The embedded server uses an index only if it covers all fields of a filter: equality first, then at most one
range or `$in`. A test explains every query of every repository.
"""

from dataclasses import dataclass

from pymongo import ASCENDING as UP
from pymongo import DESCENDING as DOWN
from pymongo import IndexModel

DAY_S = 24 * 60 * 60
LIMIT_COUNTERS, LIMIT_WINDOWS = "limit_counters", "limit_windows"
LEARNED_TTL_S = 90 * DAY_S  # DESIGN section 4: skills expire 90 days after their last use
JOB_TTL_S = 30 * DAY_S  # results of an ingestion
FILE_TTL_S = 7 * DAY_S  # uploaded bytes are deleted with their job; this is for interrupted uploads
EFFECT_TTL_S = 60 * DAY_S  # twice the period in which unfinished effects are looked for
LEASE_TTL_S = 15 * DAY_S  # longer than an unused thread lives: its fence never goes back
CHECKPOINT_TTL_S = 7 * DAY_S
_CHECKPOINT = (("thread_id", UP), ("checkpoint_ns", UP), ("checkpoint_id", DOWN))


@dataclass(frozen=True, slots=True)
class Index:
    """An index: fields in order, and a TTL in seconds after the date in its only field."""

    collection: str
    fields: tuple[tuple[str, int], ...]
    unique: bool = False
    ttl_s: int | None = None

    def model(self) -> IndexModel:
        """The driver's form."""
        if self.ttl_s is None:
            return IndexModel(list(self.fields), unique=self.unique)
        return IndexModel(list(self.fields), expireAfterSeconds=self.ttl_s)


INDEXES = (
    Index("tasks", (("tenantId", UP), ("taskId", UP)), unique=True),
    Index("tasks", (("tenantId", UP), ("sessionId", UP), ("status", UP), ("updatedAt", UP))),
    Index("tasks", (("tenantId", UP), ("createdAt", UP))),
    Index("tasks", (("tenantId", UP), ("status", UP), ("updatedAt", UP))),
    Index("tasks", (("tenantId", UP), ("status", UP), ("createdAt", DOWN))),
    Index("tasks", (("tenantId", UP), ("userId", UP), ("createdAt", DOWN))),
    Index("tasks", (("tenantId", UP), ("userId", UP), ("status", UP), ("createdAt", DOWN))),
    Index("task_actions", (("tenantId", UP), ("actionId", UP)), unique=True),
    Index("task_actions", (("tenantId", UP), ("taskId", UP), ("createdAt", UP))),
    Index("task_actions", (("tenantId", UP), ("createdAt", UP))),
    Index("sessions", (("tenantId", UP), ("sessionId", UP)), unique=True),
    Index("sessions", (("tenantId", UP), ("userId", UP), ("updatedAt", DOWN))),
    Index("messages", (("tenantId", UP), ("messageId", UP)), unique=True),
    Index("messages", (("tenantId", UP), ("sessionId", UP), ("createdAt", DOWN))),
    Index("operations", (("tenantId", UP), ("key", UP)), unique=True),
    Index(
        "operations", (("tenantId", UP), ("key", UP), ("claim", UP), ("state", UP), ("stopped", UP))
    ),
    Index("operations", (("createdAt", UP),), ttl_s=DAY_S),
    Index("operations", (("tenantId", UP), ("taskId", UP), ("at", UP))),
    Index("hitl", (("tenantId", UP), ("hitlId", UP)), unique=True),
    Index("hitl", (("tenantId", UP), ("taskId", UP), ("createdAt", DOWN))),
    Index("hitl", (("tenantId", UP), ("createdAt", DOWN))),
    Index("hitl", (("tenantId", UP), ("status", UP), ("createdAt", DOWN))),
    Index("hitl", (("tenantId", UP), ("userId", UP), ("createdAt", DOWN))),
    Index("hitl", (("tenantId", UP), ("userId", UP), ("status", UP), ("createdAt", DOWN))),
    Index("audit", (("tenantId", UP), ("entryId", UP)), unique=True),
    Index("audit", (("tenantId", UP), ("taskId", UP), ("at", UP))),
    Index("policies", (("tenantId", UP),), unique=True),
    Index("leases", (("tenantId", UP), ("taskId", UP)), unique=True),
    Index("leases", (("tenantId", UP), ("until", UP))),
    Index("leases", (("updatedAt", UP),), ttl_s=LEASE_TTL_S),
    Index("token_usage_logs", (("tenantId", UP), ("usageId", UP)), unique=True),
    Index("token_usage_logs", (("tenantId", UP), ("taskId", UP), ("createdAt", UP))),
    Index("token_usage_logs", (("tenantId", UP), ("createdAt", DOWN))),
    Index("token_usage_logs", (("tenantId", UP), ("userId", UP), ("createdAt", DOWN))),
    Index(
        "token_usage_logs",
        (("tenantId", UP), ("userId", UP), ("taskId", UP), ("createdAt", DOWN)),
    ),
    Index("budgets", (("tenantId", UP),), unique=True),
    Index("choices", (("tenantId", UP), ("choiceId", UP)), unique=True),
    Index("choices", (("tenantId", UP), ("domain", UP), ("lastUsed", DOWN))),
    Index("choices", (("lastUsed", UP),), ttl_s=LEARNED_TTL_S),
    Index("skills", (("tenantId", UP), ("skillId", UP)), unique=True),
    Index("skills", (("tenantId", UP), ("skillId", UP), ("domain", UP))),
    Index("skills", (("tenantId", UP), ("domain", UP), ("lastUsed", DOWN))),
    Index("skills", (("tenantId", UP), ("lastUsed", DOWN))),
    Index("skills", (("lastUsed", UP),), ttl_s=LEARNED_TTL_S),
    Index("episodes", (("tenantId", UP), ("episodeId", UP)), unique=True),
    Index("episodes", (("tenantId", UP), ("domain", UP), ("createdAt", DOWN))),
    Index("episodes", (("tenantId", UP), ("createdAt", DOWN))),
    Index("episodes", (("createdAt", UP),), ttl_s=LEARNED_TTL_S),
    Index("corrections", (("tenantId", UP), ("repairId", UP)), unique=True),
    Index("corrections", (("tenantId", UP), ("taskId", UP), ("createdAt", UP))),
    Index("corrections", (("tenantId", UP), ("createdAt", UP))),
    Index("recipes", (("tenantId", UP), ("recipeId", UP)), unique=True),
    Index("recipes", (("tenantId", UP), ("createdAt", DOWN))),
    Index("recipes", (("tenantId", UP), ("domain", UP), ("createdAt", DOWN))),
    Index("knowledge_documents", (("tenantId", UP), ("documentId", UP)), unique=True),
    Index("knowledge_documents", (("tenantId", UP), ("documentId", UP), ("revision", UP))),
    Index("knowledge_documents", (("tenantId", UP), ("setName", UP), ("key", UP))),
    Index("knowledge_documents", (("tenantId", UP), ("url", UP))),
    Index("knowledge_documents", (("tenantId", UP), ("changed", UP))),
    Index("knowledge_documents", (("tenantId", UP), ("ingestedAt", DOWN))),
    Index("knowledge_documents", (("tenantId", UP), ("setName", UP), ("ingestedAt", DOWN))),
    Index("knowledge_documents", (("tenantId", UP), ("domain", UP), ("ingestedAt", DOWN))),
    Index(
        "knowledge_documents",
        (("tenantId", UP), ("setName", UP), ("domain", UP), ("ingestedAt", DOWN)),
    ),
    Index("knowledge_chunks", (("tenantId", UP), ("chunkId", UP)), unique=True),
    Index("knowledge_chunks", (("tenantId", UP), ("documentId", UP))),
    Index("knowledge_chunks", (("tenantId", UP), ("model", UP))),
    Index(
        "knowledge_manifests",
        (("tenantId", UP), ("documentId", UP), ("revision", UP), ("piece", UP)),
        unique=True,
    ),
    Index("knowledge_versions", (("tenantId", UP),), unique=True),
    Index("knowledge_jobs", (("tenantId", UP), ("jobId", UP)), unique=True),
    Index("knowledge_jobs", (("tenantId", UP), ("createdAt", DOWN))),
    Index("knowledge_jobs", (("tenantId", UP), ("status", UP), ("createdAt", DOWN))),
    Index("knowledge_jobs", (("tenantId", UP), ("userId", UP), ("createdAt", DOWN))),
    Index(
        "knowledge_jobs",
        (("tenantId", UP), ("userId", UP), ("status", UP), ("createdAt", DOWN)),
    ),
    Index("knowledge_jobs", (("tenantId", UP), ("leasedUntil", UP))),
    Index("knowledge_jobs", (("endedAt", UP),), ttl_s=JOB_TTL_S),
    Index("knowledge_frontiers", (("tenantId", UP), ("jobId", UP), ("key", UP)), unique=True),
    Index("knowledge_frontiers", (("tenantId", UP), ("jobId", UP), ("state", UP), ("at", UP))),
    Index("knowledge_frontiers", (("createdAt", UP),), ttl_s=JOB_TTL_S),
    Index("knowledge_files", (("tenantId", UP), ("fileId", UP), ("piece", UP)), unique=True),
    Index("knowledge_files", (("createdAt", UP),), ttl_s=FILE_TTL_S),
    Index("knowledge_locks", (("tenantId", UP), ("documentId", UP)), unique=True),
    Index("knowledge_locks", (("tenantId", UP), ("owner", UP))),
    Index("delegations", (("tenantId", UP), ("delegationId", UP)), unique=True),
    Index("delegations", (("tenantId", UP), ("taskId", UP))),
    Index("delegations", (("tenantId", UP), ("userId", UP), ("status", UP), ("createdAt", UP))),
    Index("delegations", (("createdAt", UP),), ttl_s=7 * DAY_S),
    Index("consents", (("tenantId", UP), ("consentId", UP)), unique=True),
    Index("consents", (("tenantId", UP), ("userId", UP), ("createdAt", DOWN))),
    Index("reviews", (("tenantId", UP), ("recordId", UP)), unique=True),
    Index("reviews", (("tenantId", UP), ("location", UP), ("at", DOWN), ("recordId", DOWN))),
    Index(
        "reviews",
        (("tenantId", UP), ("userId", UP), ("location", UP), ("at", DOWN), ("recordId", DOWN)),
    ),
    Index("reviews", (("tenantId", UP), ("submittedAt", UP))),
    Index("reviews", (("tenantId", UP), ("reviewedAt", UP))),
    Index("reviews", (("unread", UP), ("tenantId", UP))),
    Index("review_refusals", (("tenantId", UP), ("at", UP))),
    Index("review_refusals", (("at", UP),), ttl_s=LEARNED_TTL_S),
    Index("conversations", (("tenantId", UP), ("threadId", UP)), unique=True),
    Index("conversations", (("tenantId", UP), ("userId", UP), ("updatedAt", DOWN))),
    Index("conversation_lines", (("tenantId", UP), ("messageId", UP)), unique=True),
    Index("conversation_lines", (("tenantId", UP), ("threadId", UP), ("createdAt", DOWN))),
    Index("conversation_lines", (("tenantId", UP), ("ratedAt", DOWN))),
    Index("review_outbox", (("tenantId", UP), ("recordId", UP)), unique=True),
    Index("review_effects", (("tenantId", UP), ("recordId", UP), ("effect", UP)), unique=True),
    Index("review_effects", (("tenantId", UP), ("recordId", UP))),
    Index("review_effects", (("createdAt", UP),), ttl_s=EFFECT_TTL_S),
    # Rows left by a dead process, or not accepted by the review queue, are looked up without a
    # tenant; they are few.
    Index("knowledge_jobs", (("due", UP),)),
    Index("knowledge_locks", (("expiresAt", UP),)),
    Index("review_outbox", (("createdAt", UP),)),
    # The exception: keys and pairing codes are looked up before their tenant is known. These small
    # collections are never sharded.
    Index("api_keys", (("hash", UP),), unique=True),
    Index("api_keys", (("tenantId", UP), ("keyId", UP)), unique=True),
    Index("api_keys", (("keyId", UP),)),
    Index("api_keys", (("tenantId", UP), ("createdAt", DOWN))),
    Index("api_keys", (("tenantId", UP), ("ancestors", UP))),
    Index("server_secrets", (("name", UP),), unique=True),
    Index("pairings", (("hash", UP),), unique=True),
    Index("pairings", (("tenantId", UP),)),
    Index("pairings", (("expiresAt", UP),), ttl_s=0),
    # Rows of the `limits` library, with the `_id` of a key and route or of an address.
    Index(LIMIT_COUNTERS, (("expireAt", UP),), ttl_s=0),
    Index(LIMIT_WINDOWS, (("expireAt", UP),), ttl_s=0),
    # The indexes that MongoDBSaver would create in its constructor, however long that takes; the
    # filter of its writes has one field more than its index. A thread id is that of a tenant's
    # task.
    Index("checkpoints", _CHECKPOINT, unique=True),
    Index("checkpoints", (("created_at", UP),), ttl_s=CHECKPOINT_TTL_S),
    Index("checkpoint_writes", (*_CHECKPOINT, ("task_id", UP), ("idx", UP)), unique=True),
    Index("checkpoint_writes", (("created_at", UP),), ttl_s=CHECKPOINT_TTL_S),
    Index("checkpoint_writes", (*_CHECKPOINT, ("task_id", UP), ("task_path", UP), ("idx", UP))),
)
