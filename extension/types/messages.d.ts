/**
 * Every message between the parts of the extension, with its parameters. Senders and handlers are checked against these
 * tables: a new message is a line here, its handler and its caller.
 */

import type { PendingDelegation, DelegationPlace } from "./delegation";
import type { FrameInfo, FrameTable, Unreachable } from "./frames";
import type { PersonAct } from "./highlight";
import type { Learning, Offer } from "./learning";
import type { Start, View } from "./run";
import type { DialogDecision, Download } from "./wire";

/** A rectangle in CSS pixels of one document. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Runner to page script, over the port "tabwright.page": `{id, kind, ...params}`, answered with `{id, ok: true, result}` or
 * `{id, ok: false, error: {code, message}}`. Each line: the parameters and the result.
 */
export interface PageRequests {
  /** One look at the document; of a tab with `frames`, also at those in it. */
  observe: [ObserveRequest & { frames?: FrameTable }, PageObservation & { frames?: FrameTable; unreachableFrames?: Unreachable[] }];
  /** The frames that the document shows, without a look. */
  frames: [object, { children: ChildFrame[] }];
  /** Where the document is in the one around it. */
  place: [object, FramePlace];
  /** Which of these points in frames are covered by this document. */
  covered: [{ points: { key: number; x: number; y: number }[] }, boolean[]];
  frameAt: [{ x: number; y: number }, { key?: number; x?: number; y?: number; scale?: number }];
  focusedFrame: [object, { key?: number }];
  /** Scrolls an element into its own window. */
  aim: [{ target: string }, Box];
  /** Scrolls a place in a frame into view. */
  show: [{ key: number; place: Box }, Box];
  /** Marks the moment before an action. */
  reset: [object, object];
  act: [{ actionId: string; name: string; args: ActionArgs; grave?: boolean }, PageActionResult];
  upload: [FilePiece, PageActionResult];
  /** How long nothing has changed. */
  quiet: [object, ReturnType<ActivityMonitor["quiet"]>];
  /** What changed since `reset`. */
  since: [object, ReturnType<ActivityMonitor["since"]>];
  /** Outlines elements for some milliseconds. */
  outline: [{ ids: string[]; ms: number }, object];
  /** Removes the outline. */
  clear: [object, object];
  /** Marks what a question is about. */
  point: [PointRequest, object];
  /** Shows which options are chosen. */
  mark: [{ chosen: string[] }, object];
  /** Removes the marks of a question. */
  unpoint: [object, object];
  /** Starts or stops recording what the person does. */
  person: [{ on: boolean }, object];
  /** Stops the action that is running. */
  halt: [object, object];
  /** The document as HTML. */
  dom: [{ mode: SerialMode; ids: string[]; maxBytes: number }, { dom: string; cut: boolean }];
  /** Removes all overlays, before a screenshot. */
  undrawn: [object, object];
  /** Starts or stops offering what is opened (page/learn). */
  learn: [{ on: boolean }, { on: boolean }];
  capture: [object, Captured & { phase: "initial" }];
  /** The capture of something that was opened. */
  opened: [{ key: string }, Captured & CaptureInfo];
  /** Drops a capture. */
  forget: [{ key: string }, object];
}

/** Asks a page script, for at most `ms`. Raises `PageGone`, `PageRefused`, `PageSilent`. */
export type AskPage = <K extends keyof PageRequests>(kind: K, params?: PageRequests[K][0], ms?: number) => Promise<PageRequests[K][1]>;

/** Page script to runner, unasked, over the same port: `{kind, ...params}`. */
export interface PageReports {
  hello: { documentId: string; url: string; top: boolean; frame: number };
  /** A side effect of an action: a dialog, a tab to open, a download. */
  told: { told: SideEffectReport };
  /** What the person did while they had taken over. */
  person: { act: PersonAct };
  /** The person clicked an option of a question. */
  picked: { hitlId: string; option: string };
  /** Something was opened that may be learned. */
  opened: { opened: Offer };
}

/** Panel to runner, over the port "tabwright.panel": `{kind, ...params}`. All but `attach` are about the attached tab. */
export interface PanelCommands {
  attach: { tabId: number };
  run: { goal: string } & Start;
  stop: object;
  retry: object;
  continue: object;
  dismiss: object;
  clear: object;
  answer: { value: string | string[] | null; text: string };
  choose: { chosen: string[] };
  pause: object;
  "hand-back": object;
  /** `elsewhere`: another tab than the attached one. */
  learn: { elsewhere?: number };
  "learn-opened": { key: string };
  "learn-not": { key: string };
  "learn-always": { wanted: boolean };
  "learn-end": object;
  "delegation-allowed": { delegationId: string };
  "delegation-granted": { delegationId: string };
  "delegation-give-up": { delegationId: string; reason: string };
}

/** Runner to panel, over the same port. */
export type PanelUpdate = { kind: "view"; view: View } | { kind: "learning"; learning: Learning } | { kind: "delegations"; asking: PendingDelegation[] };

/** The requests of a tab; `navigating`: it is loading another document. */
export type NetworkState = import("../worker/traffic.js").TrafficState & { navigating: boolean };

/** A tab as "tab.get" describes it. */
export interface TabInfo {
  url: string;
  title: string;
  status: string;
  width: number;
  height: number;
  index: number;
}

/**
 * Runner and panel to worker: `chrome.runtime.sendMessage({to: "worker", name, ...params})`, answered with `{ok: true, result}` or
 * `{ok: false, error: {code, message, origin}}`. Each line: the parameters and the result.
 */
export interface WorkerRequests {
  "runner.ensure": [object, void];
  "storage.get": [{ keys: string[] | null }, Record<string, any>];
  "storage.set": [{ items: Record<string, unknown> }, void];
  "storage.remove": [{ keys: string[] }, void];
  /** Names this life of the extension. */
  life: [object, string];
  "tab.get": [{ tabId: number }, TabInfo];
  "tab.navigate": [{ tabId: number; url: string }, void];
  "tab.goBack": [{ tabId: number }, void];
  /** The id of the new tab. */
  "tab.open": [{ tabId: number; url: string }, number];
  /** The id of the tab at that place. */
  "tab.switch": [{ tabId: number; index: number }, number];
  "tab.close": [{ tabId: number; next: number }, void];
  "tab.keep": [{ tabId: number; keep: boolean }, void];
  /** A JPEG as base64. */
  "tab.capture": [{ tabId: number }, string];
  "page.inject": [{ tabId: number }, void];
  "page.learn": [{ tabId: number }, void];
  "page.arm": [{ tabId: number; dialog?: DialogDecision | null }, void];
  "page.disarm": [{ tabId: number }, void];
  "frames.reach": [{ tabId: number; parentFrameId: number; connected: number[] }, FrameInfo[]];
  "network.state": [{ tabId: number; actedAt: number | null }, NetworkState];
  "network.acting": [{ tabId: number }, void];
  "network.timedOut": [{ tabId: number; from: number }, void];
  "download.read": [{ download: Download; most: number }, { data?: string; unread?: string }];
  /** Whether it was shown. */
  "notify.question": [{ tabId: number; approval: boolean; site: string; inPanel: boolean }, boolean];
  "notify.clear": [{ tabId: number }, void];
  "delegation.place": [{ url: string | null; tabId: number | null; busy: number[] }, DelegationPlace];
  /** The id of the new tab. */
  "delegation.open": [{ url: string; active: boolean }, number];
  "delegation.waits": [{ ids: string[]; tabId: number | null }, void];
}

/** Asks the worker; `once` for what must not be repeated. Raises `Refusal`. */
export type AskWorker = <K extends keyof WorkerRequests>(
  name: K,
  params?: WorkerRequests[K][0],
  options?: { once?: boolean; ms?: number },
) => Promise<WorkerRequests[K][1]>;

/** Worker to runner: `chrome.runtime.sendMessage({to: "runner", name, ...params})`; the results are not used. */
export interface RunnerReports {
  "tab.closed": { tabId: number; withWindow?: boolean };
  "tab.loaded": { tabId: number };
  /** Chrome gave the tab `was` another id. */
  "tab.replaced": { tabId: number; was: number };
  /** A page opened a tab. */
  "tab.created": { tabId: number; created: number };
  "navigation.failed": { tabId: number; url: string; error: string };
  download: { tabId: number; opener?: number; download: Download };
  "permissions.added": object;
  "settings.changed": object;
}

/** The handlers of a table of requests. */
export type RequestHandlers<Table> = { [K in keyof Table]: Table[K] extends [infer P, infer R] ? (params: P) => R | Promise<R> | (object extends R ? void : never) : never };

/** The handlers of a table of messages without results. */
export type Handlers<Table> = { [K in keyof Table]: (params: Table[K]) => unknown };
