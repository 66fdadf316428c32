/** The review queue: what waits for an operator, and one record of it. */

import { showQueue } from "./review_queue.js";
import { showRecord } from "./review_record.js";

/** @import { Shown } from "../types/api" */

/** @param {HTMLElement} body @param {Shown} shown */
export const showReview = (body, shown) => (shown.id ? showRecord(body, shown) : showQueue(body, shown));
