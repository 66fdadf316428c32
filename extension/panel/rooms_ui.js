import { button, element } from "./element.js";
import { fillLazily, lazyPart, showLoadFailure, loadStylesheet } from "./lazy_part.js";
import { goBack, showRoom, roomHeader } from "./navigation.js";

/** @import { Press } from "./notice.js" */
/** @import { Room } from "./navigation.js" */
/** @import { Session } from "./rooms/sessions.js" */

/** @param {Room} name */
const sectionOf = (name) => /** @type {HTMLElement} */ (document.querySelector(`[data-room="${name}"]`));

/** @returns {Promise<string | null>} the session of the next goal */
async function currentSession() {
  const { sessionId } = /** @type {{sessionId?: string}} */ (await chrome.storage.local.get("sessionId"));
  return sessionId ?? null;
}

/**
 * Opens the panel's rooms beside the run. A room is shown at once with its head; its content is loaded then.
 *
 * @param {{press: Press, site: () => string, clear: (invitation: string) => void, replay: import("./rooms/recipes.js").Replay,
 *   learn: () => void, open: (url: string) => void}} panel
 *   `clear` removes the shown run and shows an invitation, `replay` runs a recipe in the tab, `learn` learns its page, and `open` one at an address
 */
export function createRooms({ press, site, clear, replay, learn, open }) {
  /** @param {string | null} sessionId the session of the next goals @param {string} invitation */
  async function continueSession(sessionId, invitation) {
    if (sessionId) await chrome.storage.local.set({ sessionId });
    else await chrome.storage.local.remove("sessionId");
    clear(invitation);
    showRoom("run");
  }

  /** @param {() => void} again @returns {Press} a room's notice whose "Retry" loads the room again */
  const retryOrPress = (again) => (button, notice) => (button.does === "retry" ? again() : press(button, notice));

  async function sessions() {
    const box = element("div");
    const fresh = button("New session", () => void continueSession(null, "New session. What should be done on this page?"), { class: "primary", "data-testid": "new-session" });
    sectionOf("sessions").replaceChildren(roomHeader("Sessions", goBack, fresh), box);
    showRoom("sessions");
    const current = await currentSession();
    await fillLazily(box, import("./rooms/sessions.js"), ({ renderSessions }) => renderSessions(box, { open: session, current, press: retryOrPress(sessions) }));
  }

  /** @param {Session} opened */
  async function session(opened) {
    const box = element("div");
    const { sessionId, title } = opened;
    const goOn = button("Continue here", () => void continueSession(sessionId, `What should be done next, after “${title}”?`), { class: "primary", "data-testid": "continue-session" });
    sectionOf("session").replaceChildren(roomHeader(title || "Session", sessions, goOn), box);
    showRoom("session");
    const again = retryOrPress(() => void session(opened));
    await fillLazily(box, import("./rooms/session.js"), ({ renderSession }) => renderSession(box, sessionId, again));
  }

  async function sites() {
    const [box, adding] = [element("div"), element("div")];
    sectionOf("sites").replaceChildren(roomHeader("Sites", goBack), element("p", { class: "hint" }, "Tabwright can only see and use these sites."), box, adding);
    showRoom("sites");
    await fillLazily(box, import("./rooms/sites.js"), ({ addSiteForm, renderSites }) => {
      adding.replaceWith(addSiteForm());
      return renderSites(box, site());
    });
  }

  async function recipes() {
    const box = element("div", { "data-testid": "recipes-room" });
    sectionOf("recipes").replaceChildren(roomHeader("Recipes", goBack), box);
    showRoom("recipes");
    const given = { url: site(), replay, press: retryOrPress(() => void recipes()), leave: () => showRoom("run") };
    await fillLazily(box, import("./rooms/recipes.js"), ({ renderRecipes }) => renderRecipes(box, given));
  }

  const library = element("div", { "data-testid": "knowledge-view", class: "knowledge" });
  const documents = lazyPart(
    async () => {
      const [{ createKnowledge }] = await Promise.all([import("./knowledge/room.js"), loadStylesheet("knowledge/knowledge.css")]);
      return createKnowledge(library, { url: site, press: retryOrPress(knowledge), learn, open });
    },
    () => showLoadFailure(library),
  );

  function knowledge() {
    sectionOf("knowledge").replaceChildren(roomHeader("Knowledge", goBack), library);
    showRoom("knowledge");
    documents.use((part) => void part.show());
  }

  /** @type {() => void} refreshes the document list after a page was learned */
  const learned = () => documents.here()?.changed();

  return { sessions, sites, recipes, knowledge, learned };
}
