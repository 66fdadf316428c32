/** Types of the page scripts; the wire names are those of CONTRACT, "V3 node", and app/domain/page.py. */

type WireRole =
  | "btn" | "link" | "inp" | "chk" | "rad" | "sel" | "opt" | "tab" | "menu"
  | "tree" | "range" | "file" | "row" | "img" | "el" | "txt";

interface V3Node {
  i: string;
  r: WireRole;
  n?: string;
  v?: string;
  s?: string[];
  xy?: [number, number];
  box?: [number, number, number, number];
  f?: number;
  t?: string;
  o?: string[];
  g?: string;
  h?: string;
  scr?: { depth: string; h: boolean };
  occ?: boolean;
  k?: string;
}

interface PageScroller {
  el: Element;
  rect: DOMRect;
}

/** An element that may be a control. `source`: found by its tag, its ARIA role, its markup, or its looks. */
interface Candidate {
  el: Element;
  role: WireRole;
  rect: DOMRect;
  source: "native" | "aria" | "says" | "looks";
  /** Its visible part: itself or its label. */
  box: Element;
  scroller: PageScroller | null;
  owner: Candidate | null;
  parts: Candidate[];
}

/** Parts of selectors by the effect of their rules (page/observe/controls/hover_styles.js). */
interface HoverRules {
  always: string[];
  hovered: string[];
  reacting: string[];
  revealed: string[];
  layers: string[];
}

/** The same with each kind as one selector, "" if there is none. */
type HoverSelectors = Record<keyof HoverRules, string>;

/** Controls left out on each side of a scroll container, or of the page if it is null. */
interface LeftOut {
  above: number;
  below: number;
  left: number;
  right: number;
  scroller: PageScroller | null;
}

interface Horizon {
  left: Map<Element | null, LeftOut>;
  isFar(el: Element, rect: DOMRect, scroller: PageScroller | null): boolean;
  leaveOut(el: Element, rect: DOMRect, scroller: PageScroller | null): void;
  add(rect: DOMRect, scroller: PageScroller | null, count: number): void;
}

interface Seen {
  candidate: Candidate;
  name: string;
  group: string;
  occ: boolean;
  /** Where a click reaches it if its middle is cut off. */
  at: Point | null;
  /** The state of a message, "" for controls. */
  text: string;
}

interface Sighting {
  el: Element;
  role: WireRole;
  name: string;
  group: string;
}

type MessageKind = "error" | "success" | "info";

interface Message {
  el: Element;
  text: string;
  live: boolean;
  kind: MessageKind;
  state: "alert" | "status";
}

/** A text outside of controls: the control it precedes ("" after the last), and its distance from the screen. */
interface PlacedText {
  b: string;
  t: string;
  w: number;
  /** The middle of its first line. */
  xy?: [number, number];
  /** The same for each of its cells, if it has several. */
  cs?: [number, number][];
  /** It is in the same row as the control. */
  r?: true;
}

interface PageObservation {
  url: string;
  title: string;
  tree: V3Node[];
  viewport: { width: number; height: number };
  pageSummary: string;
  texts: PlacedText[];
  scrollPosition: string;
  scrollableContainers: string[];
  recentEvents: string[];
  hasErrors: boolean;
  hasSuccess: boolean;
  errors_detected: string[];
  success_messages: string[];
  nextId: number;
  extractMs: number;
  /** It shows loading placeholders, or its document is incomplete; left out if not. */
  stillLoading?: true;
  /** The frames in it; left out if there are none. */
  children?: ChildFrame[];
  /** For a frame: how far its document can still scroll, in px. */
  scrollRoom?: number;
}

/** A part of a window in the window's own coordinates, CSS pixels. */
interface Pane {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A frame as seen from the document around it. */
interface ChildFrame {
  /** Its key within that document for as long as both live. */
  key: number;
  /** How often it has loaded another document since the first look. */
  loads: number;
  /** Its index in `window.frames`, -1 in a shadow tree. */
  index: number;
  /** Its element's address, "" for none. */
  src: string;
  name: string;
  group: string;
  /** Corner of the element's own box. */
  at: [number, number];
  /** The box of its document. */
  box: { x: number; y: number; width: number; height: number; scale: number };
  /** Its visible part, in its own coordinates. */
  screen: Pane;
  /** An open dialog covers it. */
  behind: boolean;
}

/** A document's position; `at` only if the document around it is of the same origin. */
interface FramePlace {
  index: number;
  width: number;
  height: number;
  loading?: boolean;
  at?: [number, number];
}

interface ObserveRequest {
  taskKey: string;
  nextId: number;
  /** The frame's number, from 2; 0 or none for the main one. */
  frame?: number;
  screen?: Pane;
}

type ActionCode =
  | "ELEMENT_NOT_FOUND" | "NOT_INTERACTABLE" | "VALUE_NOT_ACCEPTED" | "OPTION_NOT_FOUND" | "NAVIGATION_BLOCKED" | "TIMEOUT" | "FRAME_GONE" | "STOPPED";

type ActionArgs = Record<string, string | number | boolean | [number, number][] | undefined>;

interface PageActionResult extends ActionNote {
  status: "success" | "failure";
  error?: import("./wire").ActionError;
}

type ActionNote = { note?: string; unanswered?: boolean };

/** An editor that takes its input in a hidden text area: its frame, and the part of it that shows the text. */
interface Editor {
  frame: Element;
  surface: Element;
}

interface Target {
  el: Element;
  role: string;
  name: string;
}

interface Point {
  x: number;
  y: number;
  hit: Element;
}

interface Chord {
  key: string;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

interface IdRecord extends Omit<Sighting, "el" | "role"> {
  role: WireRole;
  id: string;
  /** The observation that it was last in, counted from 1. */
  round: number;
  element: WeakRef<Element>;
}

interface IdBook {
  taskKey: string;
  next: number;
  prefix: string;
  open(taskKey: string, next: number): void;
  get(id: string): IdRecord | undefined;
  of(el: Element): IdRecord | undefined;
  assign(sightings: readonly Sighting[]): string[];
}

interface ActivityMonitor {
  messagesBefore: ReadonlySet<string>;
  start(): void;
  stop(): void;
  follow(roots: readonly Node[]): void;
  recentMessages(): { text: string; kind: MessageKind; after: number }[];
  version(): number;
  takeTouched(): Element[] | null;
  reset(messages: readonly Message[]): void;
  since(): { didNetworkOccur: boolean; didDomMutate: boolean; didUrlChange: boolean };
  quiet(): { domQuietMs: number; networkQuietMs: number; pending: number | null; loading: boolean; url: string; readyState: string };
}

interface Observer {
  ids: IdBook;
  messages: readonly Message[];
  findControls(): Seen[];
  observe(request: { taskKey: string; nextId: number }, activity: ActivityMonitor): PageObservation;
}

/** A side effect of a page outside its DOM: an answered dialog, an address to open in a tab. */
type SideEffectReport =
  | { type: "open"; url: string; tried: boolean }
  | { type: "alert" | "confirm" | "prompt" | "print" | "beforeunload"; message: string; accepted: boolean; foreseen: boolean; text?: string }
  | { type: "download"; download: import("./wire").Download };

/** A piece of a picked file; the last one performs the upload. */
interface FilePiece {
  args: { id: string; name: string };
  mime: string;
  offset: number;
  /** base64 */
  data: string;
  last: boolean;
}

type PersonAct = import("./highlight").PersonAct;
type PointedItem = import("./highlight").HighlightedItem;
type PointRequest = import("./highlight").Highlight & { chosen: string[] };

/** Callbacks while a question is shown on the page. */
interface AnswerHandlers {
  /** The elements with a badge, and those that will have one after the next frame. */
  elements(): Element[];
  picked(el: Element): void;
  badge(badge: Element): void;
  focused(badge: Element): void;
}

/** The text forms of a document (CONTRACT, "requestedDomMode"). */
type SerialMode = "semantic" | "skeleton" | "full";

/** HTML of a page or a part of it; `cut` if it was too long. */
interface Captured {
  html: string;
  cut: boolean;
  url: string;
  title: string;
}

/** Describes a capture; `name` is shown to the person. */
interface CaptureInfo {
  name: string;
  container: string;
  phase: "initial" | "post-interaction";
  triggerAction: string;
}

/** The last action. `at` is `performance.now()`. */
interface LearnTrigger {
  action: string;
  name: string;
  at: number;
  url: string;
}

interface LearnState {
  observer: MutationObserver;
  ends: AbortController;
  suspects: Set<Element>;
  /** What was open before. */
  openBefore: WeakSet<Element>;
  /** What was offered before, by place and words. */
  known: Set<string>;
  captures: Map<string, Captured & CaptureInfo>;
  trigger: LearnTrigger | null;
  since: number | null;
  timer: number;
  next: number;
  url: string;
}

/** Everything the page scripts share, by the file that defines it. */
interface PageNamespace {
  // dom/text.js
  collapse(text: string | null | undefined): string;
  clip(text: string, max: number): string;
  withoutEnd(text: string, signs: string): string;
  words(token: string): string;
  // dom/dom.js
  shadowOf(el: Element): ShadowRoot | null;
  roots(): (Document | ShadowRoot)[];
  clearRoots(): void;
  childrenOf(el: Element): Iterable<Node>;
  closedParts(el: Element): Element[] | null;
  parentOf(node: Node): Element | null;
  composedContains(outer: Element, inner: Element | null): boolean;
  closest(start: Element | null, selector: string): Element | null;
  hitAt(x: number, y: number): Element | null;
  focusedElement(): Element | null;
  isShown(el: Element): boolean;
  refs(el: Element, attribute: string): Element[];
  labelsOf(el: Element): HTMLLabelElement[];
  // dom/cache.js
  queryAll(selector: string, options?: { own?: boolean }): readonly Element[];
  memoize<T>(what: string, el: Element, make: () => T): T;
  clearMemo(): void;
  // observe/controls/hover_styles.js
  splitSelectors(selectors: string): string[];
  hoverSelectors(): HoverSelectors;
  /** Whether a cursor is one for dragging or pressing. */
  isHandCursor(cursor: string): boolean;
  updateHoverSelectors(): HoverSelectors;
  isRevealed(el: Element): boolean;
  revealerOf(el: Element): Element | null;
  isHoverMenu(el: Element): boolean;
  opensHoverMenu(el: Element): boolean;
  // observe/controls/weak_signs.js
  hasWeakSign(el: Element, rect: DOMRect, style: CSSStyleDeclaration, reacting: string): boolean;
  choicesIn(container: Element): Element[];
  isTangible(el: Element, rect: DOMRect): boolean;
  drawnSign(el: Element): string;
  isPainted(el: Element): boolean;
  isPictured(el: Element): boolean;
  itemsOf(container: Element): Element[];
  isListOfLines(el: Element): boolean;
  // observe/controls/draggables.js
  handlesBeside(el: Element): Element[];
  isSwitch(el: Element): boolean;
  isSwitchedOn(el: Element): boolean;
  isDraggable(el: Element, role: WireRole): boolean;
  handlesTouch(style: CSSStyleDeclaration): boolean;
  isPannable(el: Element, rect: DOMRect, style: CSSStyleDeclaration): boolean;
  isPositioned(el: Element, style: CSSStyleDeclaration): boolean;
  /** The lists of draggable elements, and similar ones. */
  dropAreas(): ReadonlySet<Element>;
  // observe/controls/shapes.js
  isShape(el: Element, rect: DOMRect): boolean;
  looksOf(el: Element): string | undefined;
  drawnName(el: Element, rect: DOMRect): string;
  edgeName(el: Element): string;
  looksName(el: Element, called: string): string;
  // observe/horizon.js
  Horizon: new (rules: HoverSelectors, hits: () => (Element | null)[]) => Horizon;
  scrollOf(scroller: Element): { depth: string; h: boolean };
  describeScrollers(candidates: readonly Candidate[], left: Map<Element | null, LeftOut>): string[];
  // observe/controls/role.js
  nativeRole(el: Element): WireRole | null;
  roleOf(el: Element): WireRole | null;
  saysClickable(el: Element): boolean;
  looksClickable(el: Element): boolean;
  looksLikeLink(el: Element, style: CSSStyleDeclaration): boolean;
  customRole(el: Element, holdsControls: boolean): WireRole;
  placeInTrack(el: Element): number | null;
  // observe/names/icons.js
  countOf(el: Element): string | undefined;
  isDecoration(el: Element): boolean;
  isLigature(el: Element): boolean;
  isSign(el: Element): boolean;
  textWithoutDecoration(el: Element, role: WireRole): string;
  iconName(el: Element): string;
  // observe/names/accessible_name.js
  textOf(el: Element, options?: { skip?: (el: Element) => boolean; max?: number; unseen?: boolean; referred?: boolean }): string;
  accessibleName(el: Element, role: WireRole): { name: string; from: "label" | "content" | "title" | "placeholder" | "" };
  // observe/names/labels.js
  withoutMarks(el: Element, text: string): string;
  labelLike(text: string): string;
  firstLine(el: Element): string;
  isMarkedRequired(el: Element): boolean;
  cellOf(el: Element): { cell: Element; header: string } | null;
  // observe/names/fallback_name.js
  nameOf(el: Element, role: WireRole): string;
  // observe/controls/states.js
  isWithheld(el: Element): boolean;
  isDisabled(el: Element): boolean;
  isUserInvalid(el: Element): boolean;
  statesOf(el: Element, role: WireRole): string[];
  valueOf(el: Element, role: WireRole): string | undefined;
  editableText(el: Element): string;
  inputType(el: Element, role: WireRole): string | undefined;
  optionsOf(el: Element, role: WireRole): string[];
  optionLabel(option: Element): string;
  hintOf(el: Element, role: WireRole, name: string): string;
  // observe/controls/stand_ins.js
  editorOf(el: Element): Editor | null;
  editorText(editor: Editor): string;
  /** Whether an editor comes right after a hidden field that it replaces. */
  hasStandIn(field: Element): boolean;
  /** The name of the hidden, labelled field that an editor replaces; also for the body of an editor's frame. */
  standInName(editor: Element): string;
  /** The visible picker that replaces a hidden select. */
  pickerOf(field: Element): Element | null;
  showsItself(control: Element): boolean;
  // observe/names/group_labels.js
  rowLabel(row: Element): string;
  bandOf(row: Element): string;
  itemLabel(el: Element): string;
  givenLabel(el: Element): string;
  headingLabel(el: Element): string;
  dialogTitle(el: Element): string;
  headingOver(el: Element): string;
  questionOver(tick: Element): string;
  // observe/names/group.js
  isRepeated(el: Element): boolean;
  groupsOn(): (el: Element, name: string) => string;
  groupText(places: readonly { kind: string; label: string }[]): string;
  // observe/candidates.js
  findCandidates(root: Element, horizon?: Horizon): Candidate[];
  areaRect(area: HTMLAreaElement): DOMRect;
  // observe/candidate_filter.js
  filterCandidates(candidates: readonly Candidate[]): Candidate[];
  nearest(candidates: Candidate[], max: number): Candidate[];
  // observe/occlusion.js
  reachablePoint(el: Element, box: Element): Point | null;
  isOnScreen(rect: DOMRect): boolean;
  modal(): Element | null;
  screenHits(count?: number): (Element | null)[];
  veil(): Element | null;
  coversOn(): (text: Text) => boolean;
  coverOf(candidate: Candidate, modal: Element | null, veil?: Element | null): { occ: boolean; at: Point | null };
  // observe/ids.js
  IdBook: new () => IdBook;
  signature(item: { role: string; name: string; group: string }): string;
  // observe/messages.js
  toneOf(text: string): "error" | "success" | "";
  mayBeToast(el: Element): boolean;
  toasts(): Element[];
  messageKind(signs: string, role: string, text: string): MessageKind;
  MESSAGE: string;
  messageAt(el: Element): Message | null;
  findMessages(): Message[];
  newMessages(messages: readonly Pick<Message, "text" | "kind">[], before: ReadonlySet<string>): { errors: string[]; successes: string[] };
  // observe/summary.js
  summarize(seen: Seen[], tree: V3Node[]): { pageSummary: string; texts: PlacedText[] };
  joinSummary(title: string, lines: readonly { text: string; heading: boolean; item?: boolean; away?: number; frame?: boolean }[]): string;
  // observe/observation.js
  describeChanges(before: readonly V3Node[] | null, now: readonly V3Node[]): string[];
  Observer: new () => Observer;
  // observe/activity.js
  isLoading(now?: number): boolean;
  isStillLoading(): boolean;
  ActivityMonitor: new () => ActivityMonitor;
  // observe/background_changes.js
  BackgroundChanges: new () => {
    note(records: readonly MutationRecord[], now?: number): void;
    waited(now?: number): void;
    begin(now?: number): void;
    explains(records: readonly MutationRecord[]): boolean;
  };
  // dom/overlay.js
  overlay?: HTMLElement;
  isOverlay(node: Node): boolean;
  openOverlay(options?: { hidden?: boolean }): { host: HTMLElement; root: ShadowRoot };
  showOverlay(host: HTMLElement, within?: Element | null): void;
  outline(rects: readonly DOMRect[], ms: number): void;
  clearOutline(): void;
  // highlight/position_tracker.js
  trackPositions(elements: () => readonly Element[], place: () => boolean): { wake: () => void; stop: () => void };
  paneOf(el: Element): Pane;
  drawnRect(el: Element): DOMRect | null;
  // highlight/question_marks.js
  showQuestion(observer: Observer, request: PointRequest): void;
  markChosen(chosen: readonly string[]): void;
  clearQuestion(): void;
  // highlight/answer_input.js
  listenForAnswers(layer: { host: HTMLElement; root: ShadowRoot }, handlers: AnswerHandlers): () => void;
  // observe/person_actions.js
  recordPerson(on: boolean): void;
  // dom/frames.js
  frameKey(el: Element): number;
  visiblePane(): Pane;
  childFrames(): ChildFrame[];
  coveredPoints(points: { key: number; x: number; y: number }[]): boolean[];
  framePlace(): FramePlace;
  observeFrame(observer: Observer, activity: ActivityMonitor, request: ObserveRequest): PageObservation;
  frameAt(x: number, y: number): { key?: number; x?: number; y?: number; scale?: number };
  focusedFrame(): { key?: number };
  aimAt(observer: Observer, id: string): { x: number; y: number; width: number; height: number };
  showFrame(key: number, place: { x: number; y: number; width: number; height: number }): { x: number; y: number; width: number; height: number };
  // observe/html.js
  isSecret(el: Element): boolean;
  escapeHtml(text: string): string;
  serialise(mode: SerialMode, known: Map<Element, { id: string; name: string }>, maxBytes: number): { dom: string; cut: boolean };
  pageAsHtml(observer: Observer, request: { mode: SerialMode; ids: string[]; maxBytes: number }): { dom: string; cut: boolean };
  hideOverlays(): Promise<object>;
  // act/timing.js
  ActionFailure: new (code: ActionCode, message: string) => Error & { code: ActionCode };
  tick(): Promise<void>;
  frame(): Promise<void>;
  until<T>(check: () => T | null | undefined | false, ms: number): Promise<T | null>;
  pause(ms: number): Promise<void>;
  /** Watches what changes from now on. */
  watchReaction(hit: Element): { reacted(): boolean; soon(): Promise<boolean>; stop(): void };
  // act/target.js
  refuseRenamed(observer: Observer, ids: readonly unknown[]): void;
  resolve(observer: Observer, id: string): Target;
  describeCover(hit: Element, target: Element): string;
  boxOf(el: Element): Element;
  reach(target: Target): Promise<Point>;
  /** Checks that something is at a point of the window; throws NOT_INTERACTABLE if not. */
  pointAt(x: number, y: number): Point;
  // act/pointer/hover.js
  applyHover(chain: readonly Element[]): void;
  hoverTargets(el: Element): Element[];
  // act/pointer/pointer.js
  fireMouse(type: string, point: Point, state?: { button?: number; buttons?: number; detail?: number; bubbles?: boolean }): boolean;
  moveTo(point: Point): void;
  focusOn(el: Element): void;
  pressBeside(): void;
  pressDown(point: Point, detail?: number): void;
  press(point: Point, detail?: number): boolean;
  /** Releases the mouse over whatever is there now. */
  release(point: Point, detail?: number): void;
  touchAlong(from: Point, path: readonly { x: number; y: number }[]): Promise<void>;
  pressTwice(point: Point): void;
  pressRight(point: Point): void;
  pressFor(point: Point, ms: number): Promise<void>;
  pressAndCheck(point: Point, name: string): Promise<ActionNote>;
  click(target: Target): Promise<ActionNote>;
  // act/fields/keyboard.js
  storeCopied(text: string): void;
  clipboardChord(el: Element, key: string, edit: (inputType: string, text: string | null) => void): boolean;
  parseChord(text: string): Chord | null;
  fireKey(target: Element, type: "keydown" | "keypress" | "keyup", chord: Chord): boolean;
  pressKey(text: string): ActionNote;
  // act/fields/key_defaults.js
  keyDefault(el: Element, chord: Chord): void;
  // act/fields/formats.js
  parseDate(text: string): string | null;
  parseTime(text: string): string | null;
  inFormat(text: string, hint: string): string;
  toInputValue(type: string, text: string): string | null;
  // act/fields/editors.js
  writeRich(target: Target, text: string): Promise<ActionNote>;
  writeEditor(target: Target, editor: Editor, text: string): Promise<ActionNote>;
  /** Writes, and waits until the hidden field that mirrors the editor has the text. */
  writeAndSync(el: Element, text: string, write: () => Promise<ActionNote>): Promise<ActionNote>;
  // act/fields/calendar.js
  pickerSince(before: ReadonlySet<Element>): boolean;
  commitPicker(el: Element, before: ReadonlySet<Element>): Promise<void>;
  pickDay(target: Target, iso: string): Promise<ActionNote>;
  // act/fields/slider.js
  isSlider(target: Target): boolean;
  setSlider(target: Target, text: string): Promise<ActionNote>;
  // act/fields/value.js
  tellInput(el: Element, inputType: string, data: string | null): void;
  tellSearch(el: Element): void;
  setValue(target: Target, text: string): Promise<ActionNote>;
  lettersAndDigits(text: string): string;
  // act/fields/choices.js
  matchLabel(labels: readonly string[], wanted: string): number;
  choose(select: HTMLSelectElement, options: HTMLOptionElement[], exactly?: boolean): void;
  selectExactly(target: Target, text: string): Promise<ActionNote>;
  quoteList(labels: readonly string[]): string;
  selectOption(target: Target, label: string): Promise<ActionNote>;
  isChecked(el: Element): boolean | null;
  setChecked(target: Target, wanted: boolean): Promise<ActionNote>;
  // act/fields/option_list.js
  shownTexts(): Set<Element>;
  chooseFromList(target: Target, label: string): Promise<ActionNote>;
  /** For an option that a press did not choose: moves to it by keys. */
  chooseByKeys(option: Element): (() => Promise<boolean>) | null;
  // act/pointer/scroll.js
  scrollBy(el: Element, dx: number, dy: number): boolean;
  /** Waits until the page has been notified of the last scroll. */
  scrollSettled(): Promise<void>;
  /** The scroll container of an element; null for the page. */
  scrollerAround(el: Element): Element | null;
  scrollIn(target: Target | null, direction: string): ActionNote;
  scrollFor(target: Target | null, x: number, y: number): ActionNote;
  // act/pointer/drag.js
  dragAlong(path: readonly { x: number; y: number }[]): Promise<void>;
  dragOnto(source: Target, place: { x: number; y: number }): Promise<void>;
  dragTo(source: Target, goal: Target): Promise<ActionNote>;
  selectText(target: Target, text: string): Promise<void>;
  // act/dispatch.js
  /** Whether an action is running in this document, and whether it was stopped. */
  actionState?: "" | "acting" | "halted";
  halt(): void;
  /** The result of an action, whether it succeeds or throws. */
  resultOf(action: () => Promise<ActionNote | void>): Promise<PageActionResult>;
  act(observer: Observer, activity: ActivityMonitor, request: { name: string; args: ActionArgs; grave?: boolean }): Promise<PageActionResult>;
  // act/dialogs.js
  sideEffects: {
    /** False if the frame has its bridge already. */
    connect(token: string): boolean;
    arm(decision: { accept: boolean; text?: string } | null): void;
    disarm(): void;
  };
  // act/upload.js
  receiveFile(observer: Observer, activity: ActivityMonitor, piece: FilePiece): Promise<PageActionResult>;
  // main.js
  connect(): void;
  port?: chrome.runtime.Port | null;
  observer?: Observer;
  activity?: ActivityMonitor;
  documentId?: string;
  answer(request: { id: number; kind: string }): Promise<object>;
  // learn/capture.js
  partRole(el: Element): string;
  partName(el: Element): string;
  containerOf(start: Element | null): string;
  capture(root?: Element | null): Captured;
  // learn/learner.js
  OPENABLE: string;
  learner?: Record<string, (request: any) => unknown>;
}

declare var __tabwright: PageNamespace;
