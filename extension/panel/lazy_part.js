import { button, element } from "./element.js";

const LOST = "This part of Tabwright could not be loaded. Reload the panel; running tasks continue.";

/**
 * Loads the stylesheet of a lazy part.
 *
 * @param {string} path in this folder @returns {Promise<void>} resolves when it applies, or when it failed: a part without styles still works
 */
export function loadStylesheet(path) {
  const link = element("link", { rel: "stylesheet", href: new URL(path, import.meta.url).href });
  const applies = new Promise((done) => {
    link.addEventListener("load", () => done(undefined));
    link.addEventListener("error", () => done(undefined));
  });
  document.head.append(link);
  return applies.then(() => undefined);
}

/**
 * Shows in place of a part that it could not be loaded, for instance because the extension was updated while the panel was open.
 *
 * @param {HTMLElement} place
 */
export function showLoadFailure(place) {
  const again = button("Reload the panel", () => location.reload(), { class: "primary", "data-testid": "panel-again" });
  place.replaceChildren(element("section", { class: "notice" }, element("p", { role: "alert" }, LOST), element("div", { class: "buttons" }, again)));
  place.hidden = false;
}

/**
 * A part of the panel that is loaded on first use, so that the panel opens fast with the agent's view alone. Calls made before it
 * has loaded are queued and run in order.
 *
 * @template T
 * @param {() => Promise<T>} bring loads it @param {() => void} lost called when loading failed; the next call tries again
 */
export function lazyPart(bring, lost) {
  /** @type {T | null} */
  let loaded = null;
  /** The queued calls; null before the first call. @type {((part: T) => void)[] | null} */
  let queue = null;

  /** @param {T} part */
  function finish(part) {
    const calls = queue ?? [];
    loaded = part;
    queue = null;
    for (const call of calls) call(part);
  }

  function failed(/** @type {unknown} */ error) {
    console.warn(error); // for developers; the person sees what to do
    queue = null;
    lost();
  }

  return {
    /** @returns {T | null} the part, if loaded */
    here: () => loaded,

    /** @param {(part: T) => void} call called now if the part is loaded, else when it is */
    use(call) {
      if (loaded !== null) return call(loaded);
      if (queue !== null) return void queue.push(call);
      queue = [call];
      bring().then(finish, failed);
    },

    /** @param {boolean} needed false loads nothing @param {(part: T) => void} call updates a part that is loaded or loading */
    when(needed, call) {
      if (needed || loaded !== null || queue !== null) this.use(call);
    },
  };
}

/**
 * Fills a box using a module that is loaded for it.
 *
 * @template T
 * @param {HTMLElement} box @param {Promise<T>} coming @param {(module: T) => unknown} fill
 */
export const fillLazily = (box, coming, fill) =>
  coming.then(fill, (error) => {
    console.warn(error);
    showLoadFailure(box);
  });
