/** Values of the page scripts; the wire names are those of CONTRACT, "V3 node", and app/domain/page.py. */

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
}

interface PageScroller {
  el: Element;
  rect: DOMRect;
}

/** An element that may be a control. `source`: by its tag, its ARIA role, its markup, its looks. */
interface Candidate {
  el: Element;
  role: WireRole;
  rect: DOMRect;
  source: "native" | "aria" | "says" | "looks";
  /** What is shown of it: itself or its label. */
  box: Element;
  scroller: PageScroller | null;
  owner: Candidate | null;
  parts: Candidate[];
}

interface Seen {
  candidate: Candidate;
  name: string;
  group: string;
  occ: boolean;
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

interface PageObservation {
  url: string;
  title: string;
  tree: V3Node[];
  viewport: { width: number; height: number };
  pageSummary: string;
  scrollPosition: string;
  scrollableContainers: string[];
  recentEvents: string[];
  hasErrors: boolean;
  hasSuccess: boolean;
  errors_detected: string[];
  success_messages: string[];
  nextId: number;
  extractMs: number;
}

type ActionCode =
  | "ELEMENT_NOT_FOUND" | "NOT_INTERACTABLE" | "VALUE_NOT_ACCEPTED" | "OPTION_NOT_FOUND" | "TIMEOUT";

type ActionArgs = Record<string, string | number | boolean | undefined>;

interface ActionResult {
  status: "success" | "failure";
  error?: { code: ActionCode; message: string };
  note?: string;
}

type Noted = { note?: string };

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
  /** The observation it was last seen in, counted from 1. */
  round: number;
  element: WeakRef<Element>;
}

interface IdBook {
  taskKey: string;
  next: number;
  open(taskKey: string, next: number): void;
  get(id: string): IdRecord | undefined;
  assign(sightings: readonly Sighting[]): string[];
}

interface Watch {
  messagesBefore: ReadonlySet<string>;
  start(): void;
  follow(roots: readonly Node[]): void;
  heard(): { text: string; kind: MessageKind }[];
  reset(messages: readonly Message[]): void;
  since(): { didNetworkOccur: boolean; didDomMutate: boolean; didUrlChange: boolean };
  quiet(): { domQuietMs: number; networkQuietMs: number; pending: number | null; url: string; readyState: string };
}

interface Eyes {
  ids: IdBook;
  messages: readonly Message[];
  look(): Seen[];
  observe(request: { taskKey: string; nextId: number }, watch: Watch): PageObservation;
}

/** Everything the page scripts share; each file adds what its name says. */
interface PageNamespace {
  // text.js
  collapse(text: string | null | undefined): string;
  clip(text: string, max: number): string;
  words(token: string): string;
  // dom.js
  shadowOf(el: Element): ShadowRoot | null;
  roots(): (Document | ShadowRoot)[];
  forgetRoots(): void;
  childrenOf(el: Element): Iterable<Node>;
  parentOf(node: Node): Element | null;
  composedContains(outer: Element, inner: Element | null): boolean;
  closest(start: Element | null, selector: string): Element | null;
  hitAt(x: number, y: number): Element | null;
  focused(): Element | null;
  isShown(el: Element): boolean;
  refs(el: Element, attribute: string): Element[];
  labelsOf(el: Element): HTMLLabelElement[];
  // hand.js
  readHands(rules: Iterable<CSSRule>): { always: string[]; hovered: string[]; reacting: string[] };
  handSelectors(): { always: string; hovered: string; reacting: string };
  // role.js
  nativeRole(el: Element): WireRole | null;
  ariaRole(el: Element): WireRole | null;
  roleOf(el: Element): WireRole | null;
  saysClickable(el: Element): boolean;
  looksClickable(el: Element): boolean;
  looksLikeLink(el: Element, style: CSSStyleDeclaration): boolean;
  customRole(el: Element, holdsControls: boolean): WireRole;
  // name.js, fallback_name.js
  textOf(el: Element, options?: { skip?: (el: Element) => boolean; max?: number }): string;
  accessibleName(el: Element, role: WireRole): { name: string; from: "label" | "content" | "title" | "placeholder" | "" };
  isMarkedRequired(el: Element): boolean;
  countOf(el: Element): string | undefined;
  nameOf(el: Element, role: WireRole): string;
  // facts.js
  isDisabled(el: Element): boolean;
  statesOf(el: Element, role: WireRole): string[];
  valueOf(el: Element, role: WireRole): string | undefined;
  editableText(el: Element): string;
  inputType(el: Element, role: WireRole): string | undefined;
  hintOf(el: Element, role: WireRole, name: string): string;
  optionsOf(el: Element, role: WireRole): string[];
  optionLabel(option: Element): string;
  // group.js
  groupsOn(): (el: Element, name: string) => string;
  groupText(places: readonly { kind: string; label: string }[]): string;
  // items.js, walk.js, prune.js
  itemsOf(container: Element): Element[];
  isListOfLines(el: Element): boolean;
  walk(root: Element): Candidate[];
  areaRect(area: HTMLAreaElement): DOMRect;
  prune(candidates: readonly Candidate[]): Candidate[];
  nearest(candidates: Candidate[], max: number): Candidate[];
  // occlusion.js
  reachablePoint(el: Element, box: Element): Point | null;
  isOnScreen(rect: DOMRect): boolean;
  modal(): Element | null;
  isOccluded(candidate: Candidate, modal: Element | null): boolean;
  // ids.js
  IdBook: new () => IdBook;
  signature(item: { role: string; name: string; group: string }): string;
  // messages.js, summary.js, changes.js
  messageKind(signs: string, role: string, text: string): MessageKind;
  fieldErrors(): { el: Element; text: string }[];
  MESSAGE: string;
  messageAt(el: Element): Message | null;
  findMessages(): Message[];
  newMessages(messages: readonly Pick<Message, "text" | "kind">[], before: ReadonlySet<string>): { errors: string[]; successes: string[] };
  summarize(): string;
  joinSummary(title: string, lines: readonly { text: string; heading: boolean }[]): string;
  describeChanges(before: readonly V3Node[] | null, now: readonly V3Node[]): string[];
  // watch.js, outline.js, observe.js
  Watch: new () => Watch;
  overlay?: HTMLElement;
  isOverlay(node: Node): boolean;
  outline(rects: readonly DOMRect[], ms: number): void;
  clearOutline(): void;
  Eyes: new () => Eyes;
  // act/
  ActionFailure: new (code: ActionCode, message: string) => Error & { code: ActionCode };
  tick(): Promise<void>;
  until<T>(check: () => T | null | undefined | false, ms: number): Promise<T | null>;
  likeness(a: string, b: string): number;
  resolve(eyes: Eyes, id: string): Target;
  boxOf(el: Element): Element;
  reachableAfterScroll(el: Element): boolean;
  approach(target: Target): Point;
  reach(target: Target): Promise<Point>;
  fireMouse(type: string, point: Point, state?: { buttons?: number; detail?: number }): boolean;
  moveTo(point: Point): void;
  focusOn(el: Element): void;
  pressDown(point: Point): void;
  press(point: Point): void;
  parseChord(text: string): Chord | null;
  fireKey(target: Element, type: "keydown" | "keypress" | "keyup", chord: Chord): boolean;
  pressKey(text: string): Noted;
  parseDate(text: string): string | null;
  parseTime(text: string): string | null;
  inFormat(text: string, hint: string): string;
  toInputValue(type: string, text: string): string | null;
  tellInput(el: Element, inputType: string, data: string | null): void;
  setValue(target: Target, text: string): Promise<Noted>;
  bare(text: string): string;
  matchLabel(labels: readonly string[], wanted: string): number;
  choose(select: HTMLSelectElement, options: HTMLOptionElement[]): void;
  listed(labels: readonly string[]): string;
  selectOption(target: Target, label: string): Promise<Noted>;
  chooseFromList(target: Target, label: string): Promise<Noted>;
  choicesBeside(el: Element): Element[];
  chooseBeside(target: Target, label: string): Promise<Noted>;
  isChecked(el: Element): boolean | null;
  setChecked(target: Target, wanted: boolean): Promise<Noted>;
  scrollBy(el: Element, dx: number, dy: number): boolean;
  scrollIn(target: Target | null, direction: string): Noted;
  hoverOver(target: Target): Promise<Noted>;
  dragTo(source: Target, goal: Target): Promise<Noted>;
  act(eyes: Eyes, watch: Watch, request: { name: string; args: ActionArgs }): Promise<ActionResult>;
  // main.js
  eyes?: Eyes;
  watch?: Watch;
  documentId?: string;
  port?: chrome.runtime.Port | null;
  answer(request: { id: number; kind: string }): Promise<object>;
}

declare var __tabwright: PageNamespace;
