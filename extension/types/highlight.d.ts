/** A question as shown on the page, and what a person does there. */

import type { PageClient } from "./run";
import type { InterruptEvent } from "./wire";

/** An element that a question is about. `number` is on its badge; it and `option` are "" for an approval. */
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
  /** The options chosen so far, as the panel knows them. */
  mark(tabId: number, optionIds: readonly string[]): Promise<void>;
  clear(tabId: number): Promise<void>;
}

/** Something a person did; typed text is not included. `at` is ISO 8601. */
export interface PersonAct {
  kind: "click" | "type" | "choose" | "navigate" | "submit";
  role: string;
  name: string;
  url: string;
  at: string;
}

export interface Takeover {
  begin(tabId: number): Promise<void>;
  loaded(tabId: number): Promise<void>;
  end(tabId: number): Promise<PersonAct[]>;
}

/** The pages of all tabs, and their unrequested messages. */
export interface PageDirectory {
  page(tabId: number): Promise<PageClient>;
  /** The page of a connected tab; injects nothing. */
  known(tabId: number): PageClient | null;
  /** "hello" and "gone" come from each document, with its `frameId`. */
  listen(kind: "picked" | "person" | "opened" | "hello" | "gone", listener: (tabId: number, message: any) => void): void;
}
