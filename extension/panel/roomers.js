import { element } from "./element.js";
import { renderRecipes } from "./recipes.js";
import { back, enter, roomHead } from "./rooms.js";
import { renderSession } from "./session.js";
import { renderSessions } from "./sessions.js";
import { addSiteForm, renderSites } from "./sites.js";

/** @import { Press } from "./notice.js" */
/** @import { Room } from "./rooms.js" */
/** @import { Session } from "./sessions.js" */

/** @param {Room} name */
const sectionOf = (name) => /** @type {HTMLElement} */ (document.querySelector(`[data-room="${name}"]`));

/** @returns {Promise<string | null>} the session that the next goal belongs to */
async function currentSession() {
  const { sessionId } = /** @type {{sessionId?: string}} */ (await chrome.storage.local.get("sessionId"));
  return sessionId ?? null;
}

/** @param {string} text @param {() => void} press @param {string} testId */
function primary(text, press, testId) {
  const button = element("button", { type: "button", class: "primary", "data-testid": testId }, text);
  button.addEventListener("click", press);
  return button;
}

/**
 * What opens the panel's rooms beside the run.
 *
 * @param {{press: Press, site: () => string, clear: (invitation: string) => void, replay: import("./recipes.js").Replay}} panel
 *   `clear` puts the shown run away and says what to do next, `replay` runs a recipe in the tab
 */
export function createRoomers({ press, site, clear, replay }) {
  /** @param {string | null} sessionId @param {string} invitation goals belong to that session from now on */
  async function goOnIn(sessionId, invitation) {
    if (sessionId) await chrome.storage.local.set({ sessionId });
    else await chrome.storage.local.remove("sessionId");
    clear(invitation);
    enter("run");
  }

  /** @param {() => void} again @returns {Press} a notice of a room asks that room again */
  const within = (again) => (button, notice) => (button.does === "retry" ? again() : press(button, notice));

  async function sessions() {
    const box = element("div");
    const fresh = primary("New session", () => void goOnIn(null, "A new session. Say what should be done on this page."), "new-session");
    sectionOf("sessions").replaceChildren(roomHead("Sessions", back, fresh), box);
    enter("sessions");
    await renderSessions(box, { open: session, current: await currentSession(), press: within(sessions) });
  }

  /** @param {Session} opened */
  async function session(opened) {
    const box = element("div");
    const { sessionId, title } = opened;
    const goOn = primary("Continue here", () => void goOnIn(sessionId, `Say what should be done next, after “${title}”.`), "continue-session");
    sectionOf("session").replaceChildren(roomHead(title || "Session", sessions, goOn), box);
    enter("session");
    await renderSession(box, sessionId, within(() => void session(opened)));
  }

  async function sites() {
    const box = element("div");
    sectionOf("sites").replaceChildren(roomHead("Sites", back), element("p", { class: "hint" }, "Tabwright sees and touches these sites alone."), box, addSiteForm());
    enter("sites");
    await renderSites(box, site());
  }

  async function recipes() {
    const box = element("div", { "data-testid": "recipes-room" });
    sectionOf("recipes").replaceChildren(roomHead("Recipes", back), box);
    enter("recipes");
    await renderRecipes(box, { url: site(), replay, press: within(() => void recipes()), leave: () => enter("run") });
  }

  return { sessions, sites, recipes };
}
