/** Learning a page: what the panel is told of it. */

import type { HostRefused } from "../runner/worker_client.js";
import type { PagesHeard } from "./highlight";
import type { Settings } from "./wire";

/** Something that was opened and may be learned. `name` is what the page calls it. */
export interface Offer {
  key: string;
  name: string;
}

/** What the panel shows of one tab. `on`: what is opened there is offered. */
export interface Learning {
  tabId: number;
  on: boolean;
  /** Something is on its way to the server. */
  busy: boolean;
  /** What came of the last one, in a sentence. */
  said: string;
  failed: boolean;
  offers: Offer[];
  /** What is opened on this page is learned without asking. */
  always: boolean;
}

/** A job of the server (docs/knowledge.md). */
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
  /** What was left out on purpose, in sentences. */
  notes?: string[];
  documents: string[];
  reason?: string | null;
  createdAt: string;
  endedAt?: string | null;
}

/** What learning needs of the world. */
export interface LearningWorld {
  pages: PagesHeard;
  ask: import("./messages").AskWorker;
  server: (path: string, what?: { method?: string; body?: object }) => Promise<any>;
  publish: (learning: Learning) => void;
  sleep: (ms: number) => Promise<void>;
}

export type { HostRefused, Settings };
