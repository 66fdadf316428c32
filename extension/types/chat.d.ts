/** The chat over the team's documents, with the names the server uses. */

export type ChatAction = "summarize" | "inquire" | "compare" | "audit";
export type Level = "high" | "medium" | "low";

export interface DocumentName {
  id: string;
  title: string;
}

/** The source of a claim; `marker` is the number in its brackets. Pages count from 1, `start` and `end` are character offsets in the document's text. */
export interface Citation {
  marker: number;
  kind: "document" | "web";
  title: string;
  label: string;
  quote: string;
  document_id: string;
  chunk_id: string;
  /** The document's version when it was read, from 1 on (0: unknown), and its current one if it still exists. */
  version?: number;
  current_version?: number | null;
  url: string | null;
  page: number | null;
  page_end: number | null;
  /** In a sheet: the first and last row, as numbered there. */
  rows?: number[];
  heading_path: string[];
  start: number;
  end: number;
}

/** A line of a document; `changed` is the part that the line beside it lacks. `markers` are those of its citations. */
export interface ComparedSide {
  words: { text: string; changed: boolean }[];
  markers: number[];
}

/** Documents side by side: each of `rows` has one line per document, null if it has none. `left` sections are not shown. */
export interface Comparison {
  documents: DocumentName[];
  sections: { heading: string; told: { kind: string; text: string; doubted: boolean }[]; rows: (ComparedSide | null)[][] }[];
  left: number;
}

export interface ChatStatus {
  type: "status";
  node: string;
  message: string;
  docs_found?: DocumentName[] | null;
  web_query?: string | null;
  thread_id: string;
}

/** The person's rating of an answer. */
export interface Rating {
  rating: "up" | "down";
  comment: string;
}

/** A claim, and why it does not count as supported. */
export interface Contested {
  text: string;
  reason: string;
}

/** A claim of an answer being written: the latest per `number` counts, and none is checked yet. */
export interface ChatClaim {
  type: "claim";
  number: number;
  text: string;
  /** `cited`: its quotes were found in the sources; `unsupported`: they were not, so far. */
  state: "pending" | "cited" | "unsupported";
  reason: string;
  citations: Citation[];
  thread_id: string;
}

/** All claims so far are withdrawn. */
export interface ChatRestart {
  type: "restart";
  message: string;
  thread_id: string;
}

export interface ChatAnswer {
  type: "response";
  response: string;
  citations: Citation[];
  action: ChatAction;
  inference_confidence: Level;
  retrieval_confidence: Level;
  tokens_used: number;
  cost_usd: number;
  cost_known: boolean;
  by_model: boolean;
  notices: string[];
  documents: DocumentName[];
  web_query: string | null;
  /** Claims without support, which the text leaves out, and claims that a second check doubts. */
  claims_dropped: number;
  claims_doubted: number;
  unsupported?: Contested[];
  doubts?: Contested[];
  /** The searched sources, for what the documents do not answer. */
  looked?: DocumentName[];
  conflicting: boolean;
  comparison?: Comparison | null;
  cancelled: boolean;
  thread_id: string;
  message_id: string;
  title: string;
  rating?: Rating | null;
  review?: import("./review").Review | null;
  advice?: import("./review").Advice[] | null;
}

export type QuestionKind = "doc_choice" | "text_input" | "action_choice" | "retrieval_low";

export interface ChatQuestion {
  type: "interrupt";
  interrupt_type: QuestionKind;
  message: string;
  options?: { id: string; label: string }[] | null;
  hitl_id: string;
  expires_at: string | null;
  thread_id: string;
}

export interface ChatError {
  type: "error";
  message: string;
  problem?: unknown;
  /** The person stopped it; `response` is the unchecked text until then. */
  stopped?: boolean;
  response?: string;
  thread_id: string;
}

export type ChatEnd = ChatAnswer | ChatQuestion | ChatError;
export type ChatNews = ChatStatus | ChatClaim | ChatRestart;
export type ChatEvent = ChatNews | ChatEnd;

/** The person's message: `message` is plain text, the rest comes from the input box. */
export interface OutgoingMessage {
  message: string;
  tiptap_json?: unknown;
  tagged_doc_ids?: string[];
  tagged_set_ids?: string[];
  action?: ChatAction | null;
  enable_web_search?: boolean;
}

export interface MentionLabel {
  kind: "document" | "set" | "action" | "web";
  id: string;
  label: string;
}

/** A line of a conversation; the fields of `metadata` depend on the role. */
export interface ChatLine {
  id: string;
  role: "user" | "assistant" | "system";
  kind: "message" | "question" | "answer" | "cancelled" | "expired" | "stopped";
  content: string;
  metadata?: Record<string, any> | null;
  created_at: string;
  rating?: Rating | null;
}

export interface ChatHistory {
  thread_id: string;
  title: string;
  messages: ChatLine[];
  pending_interrupt: ChatQuestion | null;
  running: boolean;
}

export interface Conversation {
  thread_id: string;
  title: string;
  message_count: number;
  created_at: string;
  updated_at: string;
}

/** The text box of the conversation. */
export interface ChatInput {
  focus(): void;
  /** While disabled it sends nothing and cannot be edited. */
  setDisabled(disabled: boolean): void;
  setPlaceholder(text: string): void;
  /** Replaces the text, also with a TipTap document. */
  fill(text: string | object): void;
  value(): OutgoingMessage;
  /** Sends as Enter does; the text stays until `clear`. */
  submit(): void;
  clear(): void;
  /** Opens the mention menu as `@` does, and takes the focus. */
  openMentions(): void;
}

/** Shows a passage in its document; `origin` gets the focus back, `current` means the newest version of the document. */
export type OpenSource = (citation: Citation, given: { origin: HTMLElement; current?: boolean }) => void;

/** What the two tabs offer each other. Texts are only filled in: nothing is run or sent. */
export interface Places {
  showDo(goal?: string): void;
  showAsk(message?: string): void;
  /** The agent's open question. */
  question(): import("./wire").InterruptEvent | null;
  /** Fills in the agent's answer box. */
  answer(text: string): void;
}

export interface Handoff {
  /** The buttons below an answer. */
  under(answer: ChatAnswer): Node[];
  /** To be called when the agent's question appears or goes. */
  changed(): void;
  /** Shown above the chat's input; hidden while it is empty. */
  card: HTMLElement;
}
