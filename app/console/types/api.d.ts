/** What the server answers, as far as the console reads it. */

declare global {
  const Chart: any;
}

export type Role = "user" | "operator" | "admin";
export type Scope = "browser" | "api" | "mcp" | "operator" | "admin";
export interface Me { tenantId: string; userId: string; role: Role; keyId: string; server?: { version: string; model: string | null } }

export interface Usage { modelCalls: number; inputTokens: number; outputTokens: number; costUsd: number; costKnown?: boolean; model?: string | null }
export interface TaskRow {
  taskId: string; sessionId: string; userId: string; query: string; url: string; status: string; steps: number;
  complexity: string | null; result: string | null; createdAt: string; updatedAt: string; usage: Usage;
}
export interface Provenance { origin: string; excerpt: string; ref: string | null }
export interface Verification {
  actionSucceeded: boolean | null; taskCompleted: boolean; goalAchieved: boolean; confidence: number;
  verificationTier: number; tokensSaved: number; reason: string; observations: string[];
}
export interface Action {
  actionId: string; stepIndex: number; chainIndex: number; thought: string; action: string; description: string;
  expectedOutcome: { description?: string }; status: string; verification: Verification | null;
  prediction: { kind: string; predicted: number; met: boolean; unmet: string[]; brier: number } | null;
  rePlanning: { triggered: boolean; similarity?: number; decision?: string; reason?: string } | null;
  metrics: Record<string, number>; provenance: Provenance | null;
  before: { url: string; title: string; skeleton: string } | null; createdAt: string;
}
export interface Repair {
  repairId: string; step: number; attempt: number; source: string; strategy: string; reason: string; failedAction: string;
  failedElement: string; errorType: string; triedAction: string; triedElement: string; status: string; createdAt: string;
}
export interface Call {
  usageId: string; stepIndex: number; kind: string; actionType: string; provider: string; model: string; inputTokens: number;
  cachedTokens: number; thinkingTokens: number; outputTokens: number; credits: number; costUsd: number; priced: boolean;
  durationMs: number; ok: boolean; outcome: string; createdAt: string;
}
export interface Audit { entryId: string; kind: string; by: string; via: string; hitlId: string | null; text: string; shown: Record<string, unknown>; at: string }
export interface Task {
  taskId: string; sessionId: string; userId: string; url: string; query: string; status: string; result: string | null;
  complexity: string | null; plan: { steps: { id: string; description: string; status: string }[] } | null; actions: Action[];
  corrections: Repair[]; usage: Usage; calls: Call[]; metrics: Record<string, number>; paused: boolean;
  webSearchResult: { need: string; query: string; results: { title: string; url: string }[]; solved: boolean; answer: string; unavailable: string | null } | null;
  pendingInterrupt: Question | null; createdAt: string; updatedAt: string;
}
export interface Question {
  hitlId: string; kind: string; interruptType: string; message: string; expectedInput: string; fields: string[];
  options: { id: string; label: string }[]; approval: { action: string; description: string; site: string; element: string | null; undo: string } | null;
  askedAt: string | null; expiresAt: string;
}
export interface Asked extends Question {
  taskId: string; user: string; goal: string; url: string; status: string; createdAt: string;
  result: { decision: string; text: string; selected: string[]; by: string; via: string; at: string } | null;
}
export interface SumRow {
  key: string; calls: number; inputTokens: number; cachedTokens: number; thinkingTokens: number; outputTokens: number;
  totalTokens: number; credits: number; costUsd: number; unpricedCalls: number; failedCalls: number; durationMs: number;
}
export interface Summary { groupBy: string; from: string; to: string; currency: string; rows: SumRow[]; total: SumRow }
export interface Limit { limitUsd: number; warnAt: number }
export interface Budgets {
  task: Limit | null; user: Limit | null; users: Record<string, Limit>; tenant: Limit | null;
  spent?: { month: string; tenantUsd: number; users: Record<string, number> }; updatedAt?: string | null;
}
export interface Kpi {
  key: string; feature: string; metric: string; value: number | null; unit: string; count: number; target: number | null;
  targetText: string; alert: number | null; alertText: string; state: string; meaning?: string;
}
export interface Bin { from: number; to: number; count: number; predicted: number; observed: number }
export interface Kpis { table?: Kpi[]; review?: { targets: Kpi[] } | null; warnings?: string[]; predictions: { count: number; brier: number | null; byKind: { kind: string; bins: Bin[] }[] } }
export interface Rated { messageId: string; rating: "up" | "down"; comment: string; ratedAt: string }
export interface KpiSeries { bucket: string; points: { from: string; to: string; values: Record<string, number | null>; counts: Record<string, number> }[] }
export interface Key {
  keyId: string; userId: string; role: Role; scopes: Scope[]; name: string; createdAt: string; lastUsedAt?: string | null; expiresAt?: string | null;
  revokedAt?: string | null; rotatedTo?: string | null;
}
export interface Skill {
  id: string; domain: string; goal: string; successCount: number; failureCount: number; lastUsed: string;
  failedState: { action: string; elementDescription: string; errorType: string };
  successfulAction: { action: string; elementDescription: string; strategy: string };
}
export interface Recipe { id: string; title: string; domain: string; goal: string; runs: number; failures: number; steps: { description: string }[]; createdAt: string }
export interface Policy { actionDomains: string[]; knowledgeDomains: string[]; approvals: { mode: string; neverFor: string[] }; reviewedSets: string[] }

/** What every section is given. */
export interface Shown { me: Me; id: string; query: URLSearchParams; signal: AbortSignal; again: () => void }
export interface Person { name: string; role: string; id?: string | null; team?: string | null }
export type Outcome = "approved" | "rejected";
export type Location = "pending" | Outcome;
export interface ReviewRecord {
  id: string; submitted_at_ms: number; status: "pending" | "reviewed"; why_escalated: string; missing_information: string[]; submitter: Person;
  issue: { ticket_id: string | null; lgv_id: string | null; site: string | null; reported_symptom: string; goal: string | null; task_id: string | null; thread_id: string | null };
  investigation: {
    what_checked: string[]; evidence: string[]; candidate_root_cause: string | null; services_connections_involved: string[];
    confidence: "high" | "medium" | "low"; impact: "normal" | "high";
  };
  recommendation: { proposed_next_action: string; expected_outcome: string };
  origin: { kind: "task" | "chat" | "mcp"; user: string; message_id: string | null; told: string; reasons: string[] };
  review?: { decision: Outcome; reviewed_at_ms: number; notes: string; operator: Person; reviewed_by: string };
}
export interface Depths { pending: number; approved: number; rejected: number; oldest_ms: number | null }
export interface RecordsPage { records: ReviewRecord[]; depths: Depths | null; nextCursor: string | null }
export interface TurnLine { id: string; role: string; kind: string; content: string; metadata: { citations?: import("../../../extension/types/chat").Citation[]; action?: string; comparison?: import("../../../extension/types/chat").Comparison | null }; created_at: string }
export interface WholeRecord { record: ReviewRecord; task: Task | null; turn: { threadId: string; messages: TurnLine[] } | null }
