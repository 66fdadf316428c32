/** Learning a page: what the panel is told about it. */

import type { PageDirectory } from "./highlight";

/** Something that was opened and can be learned. `name` is its name on the page. */
export interface Offer {
  key: string;
  name: string;
}

/** The panel's state for one tab. `on`: opened parts are offered. */
export interface Learning {
  tabId: number;
  on: boolean;
  /** Something is being sent to the server. */
  busy: boolean;
  /** The result of the last one, as a sentence. */
  said: string;
  failed: boolean;
  offers: Offer[];
  /** Opened parts of this page are learned without asking. */
  always: boolean;
}

/** A job on the server (docs/knowledge.md). */
export interface Job {
  jobId: string;
  kind: string;
  source: string;
  status: "queued" | "running" | "completed" | "failed" | "cancelled";
  progress: {
    documents: number;
    documentsTotal?: number | null;
    unchanged: number;
    failed: number;
    chunks: number;
    bytes: number;
    bytesTotal?: number | null;
    current?: string;
    remainingSeconds?: number | null;
  };
  errors: { source: string; code: string; reason: string; advice?: string }[];
  /** What was left out on purpose, as sentences. */
  notes?: string[];
  documents: string[];
  reason?: string | null;
  createdAt: string;
  endedAt?: string | null;
}

/** The outside functions that learning needs. */
export interface LearningWorld {
  pages: PageDirectory;
  ask: import("./messages").AskWorker;
  server: (path: string, what?: { method?: string; body?: object }) => Promise<any>;
  publish: (learning: Learning) => void;
  sleep: (ms: number) => Promise<void>;
}
