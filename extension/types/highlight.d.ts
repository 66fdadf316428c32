/** A question as it shows in the page, and what a person does there. */

import type { PageEnd } from "./run";
import type { InterruptEvent } from "./wire";

/** One element a question is about. `number` is what its badge says; both it and `option` are "" for an approval. */
export interface HighlightedItem {
  option: string;
  number: string;
  label: string;
  elementId: string;
}

export interface Highlight {
  hitlId: string;
  approval: boolean;
  multiple: boolean;
  items: HighlightedItem[];
}

export interface Highlighter {
  show(tabId: number, question: Pick<InterruptEvent, "hitlId" | "expectedInput" | "options" | "approval">, picked: (optionIds: string[]) => void): Promise<void>;
  /** What is chosen of several, as the panel has it. */
  mark(tabId: number, optionIds: readonly string[]): Promise<void>;
  clear(tabId: number): Promise<void>;
}

/** What a person did: of what was typed, only that it was. `at` is ISO 8601. */
export interface PersonAct {
  kind: "click" | "type" | "choose" | "navigate" | "submit";
  role: string;
  name: string;
  url: string;
  at: string;
}

export interface Takeover {
  begin(tabId: number, acts?: readonly PersonAct[]): Promise<void>;
  loaded(tabId: number): Promise<void>;
  acts(tabId: number): PersonAct[];
  end(tabId: number): Promise<PersonAct[]>;
}

/** The pages of all tabs, and what they say unasked. */
export interface PagesHeard {
  page(tabId: number): Promise<PageEnd>;
  /** The page of a tab that is connected; nothing is injected. */
  known(tabId: number): PageEnd | null;
  /** "hello" and "gone" are of the documents themselves, each with its `frameId`. */
  listen(kind: "picked" | "person" | "opened" | "hello" | "gone", listener: (tabId: number, message: any) => void): void;
}
