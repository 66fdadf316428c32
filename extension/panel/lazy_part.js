import { element } from "./element.js";

const LOST = "This part of Tabwright could not be loaded. Reload the panel; running tasks continue.";

/**
 * A stylesheet of a part that comes later.
 *
 * @param {string} path in this folder @returns {Promise<void>} settled once it applies; a part without its looks can still be used
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
 * Says in the place of a part that it could not be loaded, as when the extension's files were replaced under an open panel.
 *
 * @param {HTMLElement} place
 */
export function showLoadFailure(place) {
  const again = element("button", { type: "button", class: "primary", "data-testid": "panel-again" }, "Reload the panel");
  again.addEventListener("click", () => location.reload());
  place.replaceChildren(element("section", { class: "notice" }, element("p", { role: "alert" }, LOST), element("div", { class: "buttons" }, again)));
  place.hidden = false;
}

/**
 * A part of the panel that is loaded when it is first needed, so that the panel opens with the agent's view alone. What is
 * asked of it meanwhile is done once it is here, in the order in which it was asked.
 *
 * @template T
 * @param {() => Promise<T>} bring loads it @param {() => void} lost called when that failed; what is asked after that tries again
 */
export function lazyPart(bring, lost) {
  /** @type {T | null} */
  let here = null;
  /** What it is to do once it is here; null while nothing was asked of it. @type {((part: T) => void)[] | null} */
  let asked = null;

  /** @param {T} part */
  function came(part) {
    const deeds = asked ?? [];
    here = part;
    asked = null;
    for (const deed of deeds) deed(part);
  }

  function failed(/** @type {unknown} */ error) {
    console.warn(error); // the person is told what to do; this is for who looks into it
    asked = null;
    lost();
  }

  return {
    /** @returns {T | null} the part, where it is here */
    here: () => here,

    /** @param {(part: T) => void} deed done at once where the part is here, else once it has come */
    use(deed) {
      if (here !== null) return deed(here);
      if (asked !== null) return void asked.push(deed);
      asked = [deed];
      bring().then(came, failed);
    },

    /** @param {boolean} needed nothing is loaded for what is not @param {(part: T) => void} deed brings up to date what is here or on its way */
    when(needed, deed) {
      if (needed || here !== null || asked !== null) this.use(deed);
    },
  };
}

/**
 * Fills a box by a module that is loaded for it.
 *
 * @template T
 * @param {HTMLElement} box @param {Promise<T>} coming @param {(module: T) => unknown} fill
 */
export const fillLazily = (box, coming, fill) =>
  coming.then(fill, (error) => {
    console.warn(error);
    showLoadFailure(box);
  });
