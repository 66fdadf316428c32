/** What the runner and the server exchange, and what the runner keeps of it. */

export interface ClientObservations {
  didNetworkOccur: boolean;
  didDomMutate: boolean;
  didUrlChange: boolean;
  settle?: Settle;
}

/** The client's observations in a request. `stillLoading`: of the page in it; also when no action came before. */
export type RequestObservations = Partial<ClientObservations> & { stillLoading?: true };

/** How long a look was delayed, in ms: in all, by open requests, by changes of the page. */
export interface Settle {
  ms: number;
  network: number;
  dom: number;
  timedOut: boolean;
}

export interface ActionError {
  code: string;
  message: string;
}

/** Page forms besides the list of controls (CONTRACT, "requestedDomMode"). */
export type DomMode = "semantic" | "skeleton" | "hybrid" | "full";

export type ActStatus = "success" | "failure" | "unknown";

export interface PlannedAction {
  actionId: string;
  action: string;
  actionDetails: { name: string; args: Record<string, string | number | boolean>; dialog?: DialogDecision };
  description: string;
  index: number;
  canFail: boolean;
  grave?: boolean;
}

/** How the browser's dialogs are answered, decided before the action. With `about`, only dialogs made of its words. */
export interface DialogDecision {
  accept: boolean;
  text?: string;
  about?: string[];
}

/** A dialog and its answer. `foreseen`: answered as decided before. */
export interface AnsweredDialog {
  type: "alert" | "confirm" | "prompt" | "print" | "beforeunload";
  message: string;
  accepted: boolean;
  foreseen: boolean;
  text?: string;
}

/**
 * A file that the browser saves. `data` is its content in base64; `unread` why there is none. Between
 * worker and runner also: `attached` (sent as an attachment), and `again` (may be requested again).
 */
export interface Download {
  name: string;
  url: string;
  size?: number;
  mime?: string;
  data?: string;
  unread?: string;
  attached?: boolean;
  again?: boolean;
}

/** A tab of the run; `index` is its position in its window, from 0. */
export interface RunTab {
  index: number;
  title: string;
  url: string;
  active: boolean;
}

export interface ActionResult {
  status: ActStatus;
  error?: ActionError;
  /** A remark on a completed action: `NOTHING_ANSWERED` for a click without effect. */
  note?: ActionError;
  dialogs?: AnsweredDialog[];
  downloads?: Download[];
}

/** The progress of a list of actions. `intent` is the id of the one that may be running. */
export interface Chain {
  items: PlannedAction[];
  cursor: number;
  intent: string | null;
  results: (ActionResult & { actionId: string; index: number; action: string })[];
}

/** What the next request reports about the last actions. */
export interface Feedback {
  lastActionId?: string;
  lastActionStatus?: ActStatus;
  lastActionError?: ActionError;
  lastActionNote?: ActionError;
  lastExecutedActionIndex?: number;
  chainPartialState?: { executedActions: string[]; totalActionsInChain: number };
  dialogs?: AnsweredDialog[];
  downloads?: Download[];
  tabs?: RunTab[];
  clientObservations?: ClientObservations;
  hitlResponse?: { hitlId: string; type: string; value: string | string[] | null };
  /** The person hands back after taking over: what they did meanwhile. */
  handBack?: { actions: import("./highlight").PersonAct[] };
}

export interface PlanLine {
  id: string;
  description: string;
  status: "completed" | "current" | "pending" | "skipped";
}

/** A part of a large goal: the plan's steps belong to the current one. */
export interface PartLine {
  id: string;
  goal: string;
  status: PlanLine["status"] | "failed";
}

export interface PlanView {
  steps: PlanLine[];
  currentStepIndex: number;
  subTasks?: PartLine[] | null;
}

export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  costUsd?: number;
  modelCalls?: number;
  costKnown?: boolean;
  model?: string | null;
  estimate?: { calls: number; costUsd: number; basis: string } | null;
  budget?: { scope: "task" | "user" | "tenant"; limitUsd: number; spentUsd: number; state: "ok" | "warning" | "reached" } | null;
}

export interface Verification {
  actionSucceeded: boolean | null;
  confidence?: number;
  verificationTier?: number;
  reason?: string;
  observations?: string[];
}

export interface StatusEvent {
  type: "status";
  node: string;
  message: string;
  /** In the first event of an answer: the task's id, so that it can be cancelled early. */
  taskId?: string;
  /** The team's documents that were read. */
  docsFound?: { id: string; title: string }[];
}

interface AnswerBase {
  taskId?: string;
  sessionId?: string;
  traceId?: string;
  usage?: Usage;
  /** A remark on how the answer came about, for example that the model was unavailable. */
  notice?: string | null;
  /** What operators decided in similar cases. */
  advice?: import("./review").Advice[] | null;
}

export interface ActionEvent extends AnswerBase {
  type: "action";
  thought?: string;
  actions: PlannedAction[];
  /** Requests another page form instead of acting: `actions` is empty then. */
  requestedDomMode?: DomMode | null;
  plan?: PlanView | null;
  verification?: Verification | null;
  correction?: Correction | null;
  rePlanning?: RePlanning | null;
}

/** What is tried after a failure; `attempt` counts from 1 within the step. */
export interface Correction {
  strategy: string;
  attempt: number;
  source?: string;
}

/** Whether the plan was checked against a changed page, and the decision: "continue", "modify", "regenerate". */
export interface RePlanning {
  triggered: boolean;
  similarity?: number;
  decision?: string;
  reason?: string;
}

export interface DoneEvent extends AnswerBase {
  type: "done";
  status: "completed" | "failed" | "interrupted";
  result?: string | null;
  plan?: PlanView | null;
  verification?: Verification | null;
  handOver?: HandOver | null;
  review?: import("./review").Review | null;
}

/** A step the person may do, after which the task can continue. */
export interface HandOver {
  step: string;
  message: string;
}

export interface QuestionOption {
  id: string;
  label: string;
  elementId?: string | null;
}

export interface InterruptEvent extends AnswerBase {
  type: "interrupt";
  hitlId: string;
  kind: "clarification" | "approval" | "disambiguation";
  interruptType: string;
  message: string;
  expectedInput: "yes_no" | "single_choice" | "multi_choice" | "free_text";
  options?: QuestionOption[];
  askedAt?: string;
  expiresAt?: string;
  source?: string;
  fields?: string[];
  /** What exactly a yes allows. */
  approval?: Approval | null;
}

/** `element` describes what it touches, `undo` what cannot be undone; `site` is its host. */
export interface Approval {
  action: string;
  description: string;
  elementId: string | null;
  element: string | null;
  site: string;
  effects: string[];
  undo: string;
}

/** Sent to a waiting client: the question was answered elsewhere, or is over. */
export interface TaskEvent {
  type: "standing" | "asked" | "answered" | "cancelled" | "expired" | "paused" | "resumed" | "ended";
  hitlId?: string | null;
  status?: string | null;
}

export interface ErrorEvent extends AnswerBase {
  type: "error";
  message: string;
  problem?: { status?: number; code?: string; detail?: string; handOver?: HandOver | null };
}

export type TerminalEvent = ActionEvent | DoneEvent | InterruptEvent | ErrorEvent;

/** A task that can be continued, as the server reports it. */
export interface ActiveTask {
  taskId: string;
  query: string;
  status: string;
  currentStepIndex: number;
  createdAt: string;
  updatedAt: string;
  /** An action that was sent out and never reported on. */
  pendingActionId?: string | null;
  /** The question that it is waiting with. */
  pendingInterrupt?: InterruptEvent | null;
}

export interface Settings {
  serverUrl: string;
  apiKey: string;
}
