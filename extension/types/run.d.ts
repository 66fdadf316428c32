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
  /** What is done otherwise after a failure. */
  way?: string;
  /** Why the plan was changed, in the line that says so. */
  why?: string;
  tokens: number;
  ms: number | null;
  at: number;
  /** How long the page was waited for afterwards, in ms, and for what. */
  settled?: import("./wire").Settle;
  /** How long the look took that followed, in ms. */
  lookMs?: { all: number; page: number };
}

/** What can be done about a notice. `origin` is the site that "grant" asks for. */
export interface NoticeButton {
  label: string;
  does: "settings" | "retry" | "grant" | "continue" | "dismiss" | "hand-back";
  origin?: string;
}

/** A sentence about the state of things and the one button that helps, or a few. */
export interface Notice {
  kind: "offline" | "auth" | "first-run" | "permission" | "page" | "error" | "info" | "file" | "frames" | "model" | "hand-over";
  text: string;
  /** The file that the run in that tab waits for. */
  file?: { tabId: number; name: string };
  button?: NoticeButton;
  also?: NoticeButton;
}

/** Everything the panel shows; made by the runner, rendered by the panel. */
export interface View {
  tabId: number;
  state: RunState;
  goal: string;
  url: string;
  plan: PlanLine[];
  /** Of a goal in parts: all of them; `plan` is then that of the current one. */
  parts?: PartLine[];
  steps: Step[];
  thinking: string | null;
  notice: Notice | null;
  question: InterruptEvent | null;
  /** When the time for an answer is over, epoch ms by this computer's clock; null for never. */
  until?: number | null;
  /** Ids of the options chosen so far, of several, in the panel or in the page. */
  chosen?: string[];
  /** Why the last answer was none, to be shown with the question. */
  hint?: string;
  /** The server does not answer while a person is waited for. */
  away?: boolean;
  /** A question that nobody answered in time. */
  lapsed?: InterruptEvent | null;
  /** The person has taken over. */
  held?: boolean;
  result: string | null;
  startedAt: number | null;
  endedAt: number | null;
  costUsd: number;
  /** false: of some calls the price is not known; they are not in `costUsd`. */
  costKnown?: boolean;
  tokens: number;
  model: string;
  /** The server's name of the task, once it has one. */
  taskId?: string | null;
  /** It is a recipe's, which need not be kept as one again. */
  replays?: boolean;
  /** The assistant that asked for it, by the name it gives itself. */
  askedBy?: string;
  /** What an operator is asked of it, and has decided. */
  review?: import("./review").Review | null;
}

/** What ended a run against its will; "elsewhere": only the server knows of it. */
export type LossCause = "tab" | "browser" | "extension" | "elsewhere";

/** What a run begins with in place of a goal: a recipe and its values, or the task that was handed over. */
export interface Beginning {
  recipe?: { recipeId: string; values: Record<string, string> };
  continueFrom?: string;
  /** What another assistant asked for, that this carries out. */
  delegationId?: string;
}

/** How a run begins; `askedBy` is what the assistant calls itself. */
export interface Start extends Beginning {
  askedBy?: string;
}

export type Phase = "observe" | "request" | "act" | "settle" | "assist" | "paused" | "ended";

/**
 * A run as the journal keeps it. `tabId` names it; `at` is the tab it works in now. `body` is the
 * exact text of the request being answered, kept beside it under a key of its own.
 */
export interface Run {
  id: string;
  tabId: number;
  at: number;
  /** Tabs that the run has been in before, the last of them last: gone back to when its own closes. */
  tabs?: number[];
  phase: Phase;
  goal: string;
  taskId: string | null;
  /** Sent until the first answer. */
  beginning?: Beginning;
  /** The server knows the goal from elsewhere: `goal` is only shown. */
  told?: boolean;
  /** What another assistant asked for, and what it calls itself. */
  delegationId?: string;
  askedBy?: string;
  /** Set while `taskId` was only named, and nothing of the task was answered: the server may forget it. */
  named?: boolean;
  sessionId: string | null;
  nextId: number;
  chain: Chain | null;
  /** Whether the last one acted at a place of the window: only a picture shows what came of that. */
  pointed?: boolean;
  feedback: Feedback;
  /** The document last looked at and its address: what an action's effect is measured against. */
  documentId: string | null;
  urlBefore: string;
  /** Ids of the controls in it that open something. */
  openers: string[];
  /** Numbers given to frames so far. */
  frames?: import("./frames").FrameTable;
  /** Which life of the extension wrote it down last, and when (epoch ms); set by the journal. */
  life?: string;
  savedAt?: number;
  /** Set while it waits for the person to say whether to go on. */
  lost?: LossCause;
  /** When the actions under way began, epoch ms: what the tab was busy with before is not their effect. */
  actedAt?: number;
  /** How long the last look took, in ms: from asking to the answer, and of that in the page. */
  lookMs?: { all: number; page: number };
  /** The form of the page that the server asked for in this step, sent or about to be; once a step. `events` were told before. */
  wanted?: { mode: import("./wire").DomMode; sent: boolean; times: number; events: string[] };
  /** The question that was answered, until the server took the answer. */
  asked?: { question: InterruptEvent; until: number | null };
  /** The person took over, and the server was told to wait. */
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

/** What happened beside the documents of a tab while a run acted in it. */
export type SideEffect =
  | { type: "dialog"; dialog: import("./wire").DialogTold }
  | { type: "open"; url: string; tried?: boolean }
  | { type: "tab"; created: number }
  | { type: "failed"; url: string; error: string }
  /** `from`: the tab it came in, which is another where that was opened for it. */
  | { type: "download"; from: number; download: import("./wire").DownloadTold };

export interface SideEffects {
  listen(tabId: number): void;
  hear(tabId: number, fact: SideEffect): void;
  heardSoFar(tabId: number): readonly SideEffect[];
  take(tabId: number): SideEffect[];
  /** Nothing but downloads is kept until it is listened to again. */
  rest(tabId: number): void;
  stop(tabId: number): void;
}

/** A file that the person picked for a run; null when they would rather not. */
export interface PickedFile {
  name: string;
  file: Blob | null;
}

export interface PickedFiles {
  get(tabId: number, name: string): Promise<PickedFile | undefined>;
  forget(tabId: number, name?: string): Promise<void>;
}

/** A page script as the loop uses it. */
export interface PageEnd {
  documentId: string;
  url: string;
  alive: boolean;
  request(kind: keyof import("./messages").PageRequests, params?: object, ms?: number): Promise<any>;
}

/** What a loop needs of the world; the runner hands in the real one, tests their own. */
export interface World {
  pages: { page(tabId: number): Promise<PageEnd> };
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
    /** null: the request begins a task, whose name comes with the server's first word. */
    taskId: string | null;
    signal: AbortSignal;
    onStatus: (event: StatusEvent) => void;
  }): Promise<TerminalEvent>;
  /** false: the server could not be told. */
  cancel(settings: Settings, taskId: string): Promise<boolean | void>;
  /** Tells the server that the person took over, or handed back. */
  reportTakeover?(settings: Settings, taskId: string, how: "pause" | "resume"): Promise<void>;
  /** Hears of a task until the connection ends; raises as it ends badly. */
  events?(call: { settings: Settings; taskId: string; signal: AbortSignal; onOpen: () => void; onEvent: (event: TaskEvent) => void }): Promise<void>;
  highlighter?: import("./highlight").Highlighter;
  takeover?: import("./highlight").Takeover;
  /** A question begins to wait; where nobody sees the panel a notification says so. */
  notify?(question: { tabId: number; hitlId: string; approval: boolean; site: string }): Promise<void>;
  publish(view: View): void;
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  uuid(): string;
}

/** One run while it is being carried out. */
export interface Context {
  run: Run;
  world: World;
  signal: AbortSignal;
  show(event: ViewEvent): void;
  save(): Promise<void>;
  /** Sleeps, but not past a wake-up from outside (a page loaded, a button pressed). */
  rest(ms: number): Promise<void>;
}

export type { ActionResult, ClientObservations };
