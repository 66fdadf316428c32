/** The frames of a tab, as the runner keeps them. */

/** Numbers of frames by `tabId:frameId`; kept in the journal, so that none is used twice in a run. */
export interface FrameTable {
  next: number;
  of: Record<string, number>;
}

/** A frame as Chrome reports it. `state`: the page scripts are in it, may not be, or are not yet. */
export interface FrameInfo {
  frameId: number;
  parentFrameId: number;
  url: string;
  state: "in" | "refused" | "broken" | "late";
}

/** A frame in one look at the tab. `around` is its parent frame, null for the main one. */
export interface FramePart {
  frameId: number;
  number: number;
  child: ChildFrame;
  around: FramePart | null;
  seen: PageObservation;
}

/** A visible frame that the extension may not read. */
export interface Unreachable {
  origin: string;
  name: string;
}

export type Reach = (tabId: number, parentFrameId: number, connected: number[]) => Promise<FrameInfo[]>;

/** A tab's access to its frames. */
export interface Frames {
  tabId: number;
  find(frameId: number): import("../runner/page/page.js").Page | null;
  connected(): number[];
  reach(parentFrameId: number, connected: number[]): Promise<FrameInfo[]>;
  arrival(ms: number): Promise<void>;
  grants(): number;
}
