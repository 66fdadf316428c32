"""Every index and TTL in one table; `index_build` creates the missing ones. Unique indexes start with
`tenantId`, the shard key of a sharded cluster.

The embedded server uses an index only if it covers all fields of a filter: equality first, then at most one
range or `$in`. A test explains every query of every repository.
"""

from dataclasses import dataclass

from pymongo import ASCENDING, DESCENDING, IndexModel

DAY_S = 24 * 60 * 60
LIMIT_COUNTERS, LIMIT_WINDOWS = "limit_counters", "limit_windows"
LEARNED_TTL_S = 90 * DAY_S  # DESIGN section 4: skills expire 90 days after their last use
JOB_TTL_S = 30 * DAY_S  # results of an ingestion
FILE_TTL_S = 7 * DAY_S  # uploaded bytes are deleted with their job; this is for interrupted uploads
EFFECT_TTL_S = 60 * DAY_S  # twice the period in which unfinished effects are looked for
LEASE_TTL_S = 15 * DAY_S  # longer than an unused thread lives: its fence never goes back
CHECKPOINT_TTL_S = 7 * DAY_S


@dataclass(frozen=True, slots=True)
class Index:
    """An index: field names in order, a minus before descending ones, and a TTL in seconds after the date in
    its only field.
    """

    collection: str
    keys: str
    unique: bool = False
    ttl_s: int | None = None

    @property
    def fields(self) -> tuple[tuple[str, int], ...]:
        """(name, direction) in order."""
        names = self.keys.split()
        return tuple((n.removeprefix("-"), DESCENDING if n[0] == "-" else ASCENDING) for n in names)

    def model(self) -> IndexModel:
        if self.ttl_s is None:
            return IndexModel(list(self.fields), unique=self.unique)
        return IndexModel(list(self.fields), expireAfterSeconds=self.ttl_s)


INDEXES = (
    Index("tasks", "tenantId taskId", unique=True),
    Index("tasks", "tenantId sessionId status updatedAt"),
    Index("tasks", "tenantId createdAt"),
    Index("tasks", "tenantId status updatedAt"),
    Index("tasks", "tenantId status -createdAt"),
    Index("tasks", "tenantId userId -createdAt"),
    Index("tasks", "tenantId userId status -createdAt"),
    Index("task_actions", "tenantId actionId", unique=True),
    Index("task_actions", "tenantId taskId createdAt"),
    Index("task_actions", "tenantId createdAt"),
    Index("sessions", "tenantId sessionId", unique=True),
    Index("sessions", "tenantId userId -updatedAt"),
    Index("messages", "tenantId messageId", unique=True),
    Index("messages", "tenantId sessionId -createdAt"),
    Index("operations", "tenantId key", unique=True),
    Index("operations", "tenantId key claim state stopped"),
    Index("operations", "createdAt", ttl_s=DAY_S),
    Index("operations", "tenantId taskId at"),
    Index("hitl", "tenantId hitlId", unique=True),
    Index("hitl", "tenantId taskId -createdAt"),
    Index("hitl", "tenantId -createdAt"),
    Index("hitl", "tenantId status -createdAt"),
    Index("hitl", "tenantId userId -createdAt"),
    Index("hitl", "tenantId userId status -createdAt"),
    Index("audit", "tenantId entryId", unique=True),
    Index("audit", "tenantId taskId at"),
    Index("policies", "tenantId", unique=True),
    Index("leases", "tenantId taskId", unique=True),
    Index("leases", "tenantId until"),
    Index("leases", "updatedAt", ttl_s=LEASE_TTL_S),
    Index("token_usage_logs", "tenantId usageId", unique=True),
    Index("token_usage_logs", "tenantId taskId createdAt"),
    Index("token_usage_logs", "tenantId -createdAt"),
    Index("token_usage_logs", "tenantId userId -createdAt"),
    Index("token_usage_logs", "tenantId userId taskId -createdAt"),
    Index("budgets", "tenantId", unique=True),
    Index("choices", "tenantId choiceId", unique=True),
    Index("choices", "tenantId domain -lastUsed"),
    Index("choices", "lastUsed", ttl_s=LEARNED_TTL_S),
    Index("skills", "tenantId skillId", unique=True),
    Index("skills", "tenantId skillId domain"),
    Index("skills", "tenantId domain -lastUsed"),
    Index("skills", "tenantId -lastUsed"),
    Index("skills", "lastUsed", ttl_s=LEARNED_TTL_S),
    Index("episodes", "tenantId episodeId", unique=True),
    Index("episodes", "tenantId domain -createdAt"),
    Index("episodes", "tenantId -createdAt"),
    Index("episodes", "createdAt", ttl_s=LEARNED_TTL_S),
    Index("corrections", "tenantId repairId", unique=True),
    Index("corrections", "tenantId taskId createdAt"),
    Index("corrections", "tenantId createdAt"),
    Index("recipes", "tenantId recipeId", unique=True),
    Index("recipes", "tenantId -createdAt"),
    Index("recipes", "tenantId domain -createdAt"),
    Index("knowledge_documents", "tenantId documentId", unique=True),
    Index("knowledge_documents", "tenantId documentId revision"),
    Index("knowledge_documents", "tenantId setName key"),
    Index("knowledge_documents", "tenantId url"),
    Index("knowledge_documents", "tenantId changed"),
    Index("knowledge_documents", "tenantId -ingestedAt"),
    Index("knowledge_documents", "tenantId setName -ingestedAt"),
    Index("knowledge_documents", "tenantId domain -ingestedAt"),
    Index("knowledge_documents", "tenantId setName domain -ingestedAt"),
    Index("knowledge_chunks", "tenantId chunkId", unique=True),
    Index("knowledge_chunks", "tenantId documentId"),
    Index("knowledge_chunks", "tenantId model"),
    Index("knowledge_manifests", "tenantId documentId revision piece", unique=True),
    Index("knowledge_versions", "tenantId", unique=True),
    Index("knowledge_jobs", "tenantId jobId", unique=True),
    Index("knowledge_jobs", "tenantId -createdAt"),
    Index("knowledge_jobs", "tenantId status -createdAt"),
    Index("knowledge_jobs", "tenantId userId -createdAt"),
    Index("knowledge_jobs", "tenantId userId status -createdAt"),
    Index("knowledge_jobs", "tenantId leasedUntil"),
    Index("knowledge_jobs", "endedAt", ttl_s=JOB_TTL_S),
    Index("knowledge_frontiers", "tenantId jobId key", unique=True),
    Index("knowledge_frontiers", "tenantId jobId state at"),
    Index("knowledge_frontiers", "createdAt", ttl_s=JOB_TTL_S),
    Index("knowledge_files", "tenantId fileId piece", unique=True),
    Index("knowledge_files", "createdAt", ttl_s=FILE_TTL_S),
    Index("knowledge_locks", "tenantId documentId", unique=True),
    Index("knowledge_locks", "tenantId owner"),
    Index("delegations", "tenantId delegationId", unique=True),
    Index("delegations", "tenantId taskId"),
    Index("delegations", "tenantId userId status createdAt"),
    Index("delegations", "createdAt", ttl_s=7 * DAY_S),
    Index("consents", "tenantId consentId", unique=True),
    Index("consents", "tenantId userId -createdAt"),
    Index("reviews", "tenantId recordId", unique=True),
    Index("reviews", "tenantId location -at -recordId"),
    Index("reviews", "tenantId userId location -at -recordId"),
    Index("reviews", "tenantId submittedAt"),
    Index("reviews", "tenantId reviewedAt"),
    Index("reviews", "unread tenantId"),
    Index("review_refusals", "tenantId at"),
    Index("review_refusals", "at", ttl_s=LEARNED_TTL_S),
    Index("conversations", "tenantId threadId", unique=True),
    Index("conversations", "tenantId userId -updatedAt"),
    Index("conversation_lines", "tenantId messageId", unique=True),
    Index("conversation_lines", "tenantId threadId -createdAt"),
    Index("conversation_lines", "tenantId -ratedAt"),
    Index("review_outbox", "tenantId recordId", unique=True),
    Index("review_effects", "tenantId recordId effect", unique=True),
    Index("review_effects", "tenantId recordId"),
    Index("review_effects", "createdAt", ttl_s=EFFECT_TTL_S),
    # Rows left by a dead process, or not accepted by the review queue, are looked up without a
    # tenant; they are few.
    Index("knowledge_jobs", "due"),
    Index("knowledge_locks", "expiresAt"),
    Index("review_outbox", "createdAt"),
    # The exception: keys and pairing codes are looked up before their tenant is known. These small
    # collections are never sharded.
    Index("api_keys", "hash", unique=True),
    Index("api_keys", "tenantId keyId", unique=True),
    Index("api_keys", "keyId"),
    Index("api_keys", "tenantId -createdAt"),
    Index("api_keys", "tenantId ancestors"),
    Index("server_secrets", "name", unique=True),
    Index("pairings", "hash", unique=True),
    Index("pairings", "tenantId"),
    Index("pairings", "expiresAt", ttl_s=0),
    # Rows of the `limits` library, with the `_id` of a key and route or of an address.
    Index(LIMIT_COUNTERS, "expireAt", ttl_s=0),
    Index(LIMIT_WINDOWS, "expireAt", ttl_s=0),
    # The indexes that MongoDBSaver would create in its constructor, however long that takes; the
    # filter of its writes has one field more than its index. A thread id is that of a tenant's
    # task.
    Index("checkpoints", "thread_id checkpoint_ns -checkpoint_id", unique=True),
    Index("checkpoints", "created_at", ttl_s=CHECKPOINT_TTL_S),
    Index("checkpoint_writes", "thread_id checkpoint_ns -checkpoint_id task_id idx", unique=True),
    Index("checkpoint_writes", "created_at", ttl_s=CHECKPOINT_TTL_S),
    Index("checkpoint_writes", "thread_id checkpoint_ns -checkpoint_id task_id task_path idx"),
)
