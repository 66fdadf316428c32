/** What crosses the wire between the runner and the backend, and what the runner keeps of it. */

export interface ClientObservations {
  didNetworkOccur: boolean;
  didDomMutate: boolean;
  didUrlChange: boolean;
  settle?: Settle;
}

/** What a request says of them. `stillLoading`: of the page it holds; also where nothing was done before it. */
export type ClientObservationsTold = Partial<ClientObservations> & { stillLoading?: true };

/** How long was waited before a look, in ms: in all, while requests were under way, while the page changed. */
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

/** The forms of the page besides the list of controls (CONTRACT, "requestedDomMode"). */
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

/** How dialogs of the browser that an action brings up are answered; decided before it. With `about`, only those made of its words. */
export interface DialogDecision {
  accept: boolean;
  text?: string;
  about?: string[];
}

/** A dialog that came up, and how it was answered. `foreseen`: as decided before. */
export interface DialogTold {
  type: "alert" | "confirm" | "prompt" | "print" | "beforeunload";
  message: string;
  accepted: boolean;
  foreseen: boolean;
  text?: string;
}

/**
 * A file that the browser saves. `data` is what is in it, in base64; `unread` why that is not told. Between
 * worker and runner also how it was sent: `attached` by its header, and whether it may be asked for `again`.
 */
export interface DownloadTold {
  name: string;
  url: string;
  size?: number;
  mime?: string;
  data?: string;
  unread?: string;
  attached?: boolean;
  again?: boolean;
}

/** A tab of the run; `index` is its place in its window, from 0. */
export interface TabTold {
  index: number;
  title: string;
  url: string;
  active: boolean;
}

export interface ActionResult {
  status: ActStatus;
  error?: ActionError;
  /** What is worth knowing of an action that was done: `NOTHING_ANSWERED` for a click that changed nothing. */
  note?: ActionError;
  dialogs?: DialogTold[];
  downloads?: DownloadTold[];
}

/** Where a list of actions stands. `intent` is the id of the one that may be under way. */
export interface Chain {
  items: PlannedAction[];
  cursor: number;
  intent: string | null;
  results: (ActionResult & { actionId: string; index: number; action: string })[];
}

/** What the next request says about the last actions. */
export interface Feedback {
  lastActionId?: string;
  lastActionStatus?: ActStatus;
  lastActionError?: ActionError;
  lastActionNote?: ActionError;
  lastExecutedActionIndex?: number;
  chainPartialState?: { executedActions: string[]; totalActionsInChain: number };
  dialogs?: DialogTold[];
  downloads?: DownloadTold[];
  tabs?: TabTold[];
  clientObservations?: ClientObservations;
  hitlResponse?: { hitlId: string; type: string; value: string | string[] | null };
  /** The person took over and hands back: what they did meanwhile. */
  handBack?: { actions: import("./highlight").PersonAct[] };
}

export interface PlanLine {
  id: string;
  description: string;
  status: "completed" | "current" | "pending" | "skipped";
}

/** A part of a large goal: the plan's steps are those of the current one. */
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
  /** In the first event of an answer: the task, so that it can be cancelled before it has answered. */
  taskId?: string;
  /** What was read of the team's documents. */
  docsFound?: { id: string; title: string }[];
}

interface AnswerBase {
  taskId?: string;
  sessionId?: string;
  traceId?: string;
  usage?: Usage;
  /** What the person should know of how the answer came about, as that the model was away. */
  notice?: string | null;
  /** What operators decided of something similar. */
  advice?: import("./review").Advice[] | null;
}

export interface ActionEvent extends AnswerBase {
  type: "action";
  thought?: string;
  actions: PlannedAction[];
  /** Asks for the page in another form instead of acting: `actions` is empty then. */
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

/** Whether the plan was held against a page that is another, and what was decided: "continue", "modify", "regenerate". */
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

/** The step that the person may do, after which the task can go on. */
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
  /** What exactly a yes lets happen. */
  approval?: Approval | null;
}

/** `element` says what it touches, `undo` what cannot be undone, both in words; `site` is its host. */
export interface Approval {
  action: string;
  description: string;
  elementId: string | null;
  element: string | null;
  site: string;
  effects: string[];
  undo: string;
}

/** What a client that waits is told: that the question was answered at another door, or is over. */
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

/** A task that can be continued, as the server tells of it. */
export interface ActiveTask {
  taskId: string;
  query: string;
  status: string;
  currentStepIndex: number;
  createdAt: string;
  updatedAt: string;
  /** An action that was handed out and never reported on. */
  pendingActionId?: string | null;
  /** The question that it waits with. */
  pendingInterrupt?: InterruptEvent | null;
}

export interface Settings {
  serverUrl: string;
  apiKey: string;
}
