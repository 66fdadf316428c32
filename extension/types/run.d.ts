import type {
  ActionResult,
  Chain,
  ClientObservations,
  Feedback,
  InterruptEvent,
  PartLine,
  PlanLine,
  Settings,
  StatusEvent,
  TaskEvent,
  TerminalEvent,
} from "./wire";

export type RunState = "idle" | "running" | "waiting" | "completed" | "failed" | "interrupted";

/** "talk": something asked or said; "person": something the person did. */
export type Mark = "pending" | "done" | "verified" | "retried" | "failed" | "unknown" | "talk" | "person";

/** One line of the timeline. Times are epoch milliseconds. */
export interface Step {
  id: string;
  text: string;
  mark: Mark;
  action: string;
  element: string;
  thought: string;
  verdict: string;
  error: string;
  /** What is done differently after a failure. */
  way?: string;
  /** Why the plan was changed. */
  why?: string;
  tokens: number;
  ms: number | null;
  at: number;
  /** How long the page was waited for afterwards, in ms, and why. */
  settled?: import("./wire").Settle;
  /** How long the next look took, in ms. */
  lookMs?: { all: number; page: number };
}

/** What a notice's button does. `origin` is the site that "grant" asks for. */
export interface NoticeButton {
  label: string;
  does: "settings" | "retry" | "grant" | "continue" | "dismiss" | "hand-back";
  origin?: string;
}

/** A sentence about the situation, with the buttons that help. */
export interface Notice {
  kind: "offline" | "auth" | "first-run" | "permission" | "page" | "error" | "info" | "file" | "frames" | "model" | "hand-over";
  text: string;
  /** The file that the tab's run is waiting for. */
  file?: { tabId: number; name: string };
  button?: NoticeButton;
  also?: NoticeButton;
}

/** Everything the panel shows: made by the runner, rendered by the panel. */
export interface View {
  tabId: number;
  state: RunState;
  goal: string;
  url: string;
  plan: PlanLine[];
  /** The parts of a goal that has several; `plan` is then that of the current one. */
  parts?: PartLine[];
  steps: Step[];
  thinking: string | null;
  notice: Notice | null;
  question: InterruptEvent | null;
  /** When the question expires, epoch ms by this computer's clock; null for never. */
  until?: number | null;
  /** Ids of the options chosen so far, in the panel or on the page. */
  chosen?: string[];
  /** Why the last answer was refused, shown with the question. */
  hint?: string;
  /** The server does not answer while the run waits for the person. */
  away?: boolean;
  /** A question that expired. */
  lapsed?: InterruptEvent | null;
  /** The person has taken over. */
  held?: boolean;
  result: string | null;
  startedAt: number | null;
  endedAt: number | null;
  costUsd: number;
  /** false: the price of some calls is unknown; they are not in `costUsd`. */
  costKnown?: boolean;
  tokens: number;
  model: string;
  /** The server's id of the task, once known. */
  taskId?: string | null;
  /** It replays a recipe, and need not be saved as one again. */
  replays?: boolean;
  /** The name of the assistant that requested it, as given by itself. */
  askedBy?: string;
  /** The operator's review: what was asked and decided. */
  review?: import("./review").Review | null;
}

/** Why a run was interrupted; "elsewhere": only the server knows of it. */
export type LossCause = "tab" | "browser" | "extension" | "elsewhere";

/** What a run starts from besides a goal: a recipe with values, or a task that was handed over. */
export interface Beginning {
  recipe?: { recipeId: string; values: Record<string, string> };
  continueFrom?: string;
  /** The request of another assistant that this run carries out. */
  delegationId?: string;
}

/** How a run begins; `askedBy` is the assistant's name. */
export interface Start extends Beginning {
  askedBy?: string;
}

export type Phase = "observe" | "request" | "act" | "settle" | "assist" | "paused" | "ended";

/**
 * A run as kept in the journal. `tabId` identifies it; `at` is the tab it works in now. `body` is the
 * exact text of the open request, stored separately under its own key.
 */
export interface Run {
  id: string;
  tabId: number;
  at: number;
  /** Tabs the run worked in before, most recent last: it returns to them when its own closes. */
  tabs?: number[];
  phase: Phase;
  goal: string;
  taskId: string | null;
  /** Sent with each request until the first answer. */
  beginning?: Beginning;
  /** The server already has the goal: `goal` is only displayed. */
  told?: boolean;
  /** The other assistant's request and name. */
  delegationId?: string;
  askedBy?: string;
  /** Set while `taskId` is known but nothing was answered yet: the server may forget the task. */
  named?: boolean;
  sessionId: string | null;
  nextId: number;
  chain: Chain | null;
  /** Whether the last action used a point in the window: only a screenshot shows its effect. */
  pointed?: boolean;
  feedback: Feedback;
  /** The last observed document and its address, to compare with after an action. */
  documentId: string | null;
  urlBefore: string;
  /** Ids of controls in it that open something. */
  openers: string[];
  /** Numbers assigned to frames so far. */
  frames?: import("./frames").FrameTable;
  /** Which life of the extension saved it last, and when (epoch ms); set by the journal. */
  life?: string;
  savedAt?: number;
  /** Set while it waits for the person to decide whether to continue. */
  lost?: LossCause;
  /** When the current actions began, epoch ms: earlier activity of the tab is not their effect. */
  actedAt?: number;
  /** How long the last look took, in ms: in all, and within the page. */
  lookMs?: { all: number; page: number };
  /** The page form the server requested in this step, and whether it was sent; one per step. `events` were reported before. */
  wanted?: { mode: import("./wire").DomMode; sent: boolean; times: number; events: string[] };
  /** The answered question, until the server has accepted the answer. */
  asked?: { question: InterruptEvent; until: number | null };
  /** The person took over, and the server was told to pause. */
  held?: boolean;
  /** The question that a notification was shown for. */
  notified?: string;
  view: View;
}

export type ViewEvent =
  | { type: "started"; goal: string; url: string; at: number; replays?: boolean; askedBy?: string }
  | { type: "continued" }
  | { type: "url"; url: string }
  | { type: "thinking"; text: string | null }
  | { type: "docs"; titles: string[]; at: number }
  | { type: "notice"; notice: Notice | null }
  | { type: "answer"; event: import("./wire").ActionEvent | import("./wire").DoneEvent; elements: Record<string, string>; at: number }
  | { type: "acted"; actionId: string; result: import("./wire").ActionResult; at: number }
  | { type: "settled"; actionId: string; settled: import("./wire").Settle }
  | { type: "looked"; lookMs: { all: number; page: number } }
  | { type: "question"; event: InterruptEvent; until?: number | null; at?: number }
  | { type: "chosen"; chosen: string[] }
  | { type: "away"; away: boolean }
  | { type: "answered"; line: string; at: number }
  | { type: "asked-again"; question: InterruptEvent; until: number | null; hint: string }
  | { type: "lapsed"; question: InterruptEvent; at: number }
  | { type: "left" }
  | { type: "held" }
  | { type: "handed"; acts: import("./highlight").PersonAct[]; at: number }
  | { type: "ended"; state: "completed" | "failed" | "interrupted"; result: string; at: number; notice?: Notice | null };

/** Side effects in a tab, outside its documents, while a run acted in it. */
export type SideEffect =
  | { type: "dialog"; dialog: import("./wire").AnsweredDialog }
  | { type: "open"; url: string; tried?: boolean }
  | { type: "tab"; created: number }
  | { type: "failed"; url: string; error: string }
  /** `from`: the tab it came from, which differs if that was opened for it. */
  | { type: "download"; from: number; download: import("./wire").Download };

export interface SideEffects {
  listen(tabId: number): void;
  record(tabId: number, fact: SideEffect): void;
  soFar(tabId: number): readonly SideEffect[];
  take(tabId: number): SideEffect[];
  /** Only downloads are collected until it is read again. */
  rest(tabId: number): void;
  stop(tabId: number): void;
}

/** A file the person picked for a run; null if they declined. */
export interface PickedFile {
  name: string;
  file: Blob | null;
}

export interface PickedFiles {
  get(tabId: number, name: string): Promise<PickedFile | undefined>;
  forget(tabId: number, name?: string): Promise<void>;
}

/** A page script as used by the run loop. */
export interface PageClient {
  documentId: string;
  url: string;
  alive: boolean;
  request: import("./messages").AskPage;
}

/** The outside functions that a run needs; tests pass their own. */
export interface World {
  pages: { page(tabId: number): Promise<PageClient> };
  sideEffects?: SideEffects;
  files?: PickedFiles;
  ask: import("./messages").AskWorker;
  journal: {
    save(run: Run): Promise<void>;
    saveWithBody(run: Run, body: string): Promise<void>;
    body(tabId: number): Promise<string | undefined>;
    settings(): Promise<Settings>;
    keepSession(sessionId: string): Promise<void>;
  };
  interact(call: {
    settings: Settings;
    body: string;
    /** null: the request begins a task, whose id comes with the server's first event. */
    taskId: string | null;
    signal: AbortSignal;
    onStatus: (event: StatusEvent) => void;
  }): Promise<TerminalEvent>;
  /** false: the server was not reached. */
  cancel(settings: Settings, taskId: string): Promise<boolean | void>;
  /** Tells the server that the person took over or handed back. */
  reportTakeover?(settings: Settings, taskId: string, how: "pause" | "resume"): Promise<void>;
  /** Reads a task's events until the connection ends; raises if it fails. */
  events?(call: { settings: Settings; taskId: string; signal: AbortSignal; onOpen: () => void; onEvent: (event: TaskEvent) => void }): Promise<void>;
  highlighter?: import("./highlight").Highlighter;
  takeover?: import("./highlight").Takeover;
  /** A question is open; a notification is shown if the panel is not visible. */
  notify?(question: { tabId: number; hitlId: string; approval: boolean; site: string }): Promise<unknown>;
  publish(view: View): void;
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  uuid(): string;
}

/** A run in progress. */
export interface Context {
  run: Run;
  world: World;
  signal: AbortSignal;
  show(event: ViewEvent): void;
  save(): Promise<void>;
  /** Sleeps until woken (a page loaded, a button pressed) or the time is over. */
  rest(ms: number): Promise<void>;
}

export type { ActionResult, ClientObservations };
