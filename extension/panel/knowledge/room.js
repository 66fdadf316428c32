import { addSection } from "./add_form.js";
import { documentsSection } from "./documents.js";
import { jobsSection } from "./jobs.js";
import { searchSection } from "./search.js";
import { NotAnswered } from "../server.js";
import { renderFailure } from "../rooms/sessions.js";

/** @import { Press } from "../notice.js" */
/** The tab's address, the handler for notice buttons (`retry` shows the room again), and the functions that learn the tab's page or another.
 * @typedef {{url: () => string, press: Press, learn: () => void, open: (url: string) => void}} Given */

/** @param {unknown} error the pairing form is shown in the run's room only */
function elsewhere(error) {
  if (!(error instanceof NotAnswered) || !["first-run", "auth"].includes(error.notice.kind)) return error;
  return new NotAnswered({ ...error.notice, kind: "info" });
}

/**
 * The documents' room: search, add, list, delete. It is made once and keeps running
 * while another room is shown.
 *
 * @param {HTMLElement} room @param {Given} given
 */
export function createKnowledge(room, { url, press, learn, open }) {
  const documents = documentsSection({ press });
  const jobs = jobsSection({ changed: () => void documents.refresh(), open });
  const adding = addSection({ jobs, learn, room });
  const search = searchSection({ url, press });
  const parts = [search, adding, jobs.part, documents.part];

  async function show() {
    if (!room.hasChildNodes()) room.replaceChildren(...parts);
    try {
      await jobs.load();
      if (!room.contains(search)) room.replaceChildren(...parts);
      await documents.refresh();
    } catch (error) {
      renderFailure(room, elsewhere(error), press);
    }
  }

  return { show, changed: () => void documents.refresh() };
}
