import { element } from "./element.js";
import { addingPart } from "./knowledge_adding.js";
import { documentsPart } from "./knowledge_documents.js";
import { jobsPart } from "./knowledge_jobs.js";
import { searchPart } from "./knowledge_search.js";
import { back, enter, roomHead } from "./rooms.js";
import { NotAnswered } from "./server.js";
import { showFailure } from "./sessions.js";

/** @import { Press } from "./notice.js" */
/** @typedef {{url: () => string, press: Press, learn: () => void, open: (url: string) => void}} Given the page in the tab, and what learns it or another */

/** @param {unknown} error the run's room has the form to pair with: there is one of it */
function elsewhere(error) {
  if (!(error instanceof NotAnswered) || !["first-run", "auth"].includes(error.notice.kind)) return error;
  return new NotAnswered({ ...error.notice, kind: "info" });
}

/**
 * The room of the documents: asked, added, listed, deleted. It is made once; what goes on in it goes on
 * while another room is shown.
 *
 * @param {HTMLElement} section @param {Given} given
 */
export function createKnowledge(section, { url, press, learn, open }) {
  const room = element("div", { "data-testid": "knowledge-view", class: "knowledge" });
  const documents = documentsPart({ press: (button, notice) => again(button, notice) });
  const jobs = jobsPart({ changed: () => void documents.refresh(), open });
  const adding = addingPart({ jobs, learn, room });
  const search = searchPart({ url, press });
  const parts = [search, adding, jobs.part, documents.part];

  /** @type {Press} */
  function again(button, notice) {
    if (button.does === "retry") void show();
    else press(button, notice);
  }

  async function show() {
    section.replaceChildren(roomHead("Knowledge", back), room);
    if (!room.hasChildNodes()) room.replaceChildren(...parts);
    enter("knowledge");
    try {
      await jobs.load();
      if (!room.contains(search)) room.replaceChildren(...parts);
      await documents.refresh();
    } catch (error) {
      showFailure(room, elsewhere(error), again);
    }
  }

  return { show, changed: () => void documents.refresh() };
}
