import { addSection } from "./add_form.js";
import { documentsSection } from "./documents.js";
import { jobsSection } from "./jobs.js";
import { searchSection } from "./search.js";
import { NotAnswered } from "../server.js";
import { renderFailure } from "../rooms/sessions.js";

/** @import { Press } from "../notice.js" */
/** The page in the tab, what a notice's button does (`retry` shows the room again), and what learns the page or another.
 * @typedef {{url: () => string, press: Press, learn: () => void, open: (url: string) => void}} Given */

/** @param {unknown} error the run's room has the form to pair with: there is one of it */
function elsewhere(error) {
  if (!(error instanceof NotAnswered) || !["first-run", "auth"].includes(error.notice.kind)) return error;
  return new NotAnswered({ ...error.notice, kind: "info" });
}

/**
 * The room of the documents: asked, added, listed, deleted. It is made once; what goes on in it goes on
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
