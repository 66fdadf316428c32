import { AddressRefused, send } from "../../shared/server.js";
import { problemOf } from "./client.js";

/** @import { Settings } from "../../types/wire" */

const LONGEST_MS = 30_000;

/**
 * Asks the server for something that is no run.
 *
 * @param {() => Promise<Settings>} settings
 * @returns {(path: string, what?: {method?: string, body?: object}) => Promise<any>} raises `Problem`, or `Error` where it does not answer
 */
export const createServer = (settings) => async (path, { method = "GET", body } = {}) => {
  const given = await settings();
  const { serverUrl, apiKey } = given;
  if (!apiKey) throw new Error("Pair Tabwright with your server first.");
  const headers = { Authorization: `Bearer ${apiKey}`, ...(body ? { "Content-Type": "application/json" } : {}) };
  const sent = { method, headers, signal: AbortSignal.timeout(LONGEST_MS), ...(body ? { body: JSON.stringify(body) } : {}) };
  const answer = await send(given, path, sent).catch((error) => {
    throw error instanceof AddressRefused ? error : new Error(`The server at ${serverUrl} does not answer.`);
  });
  if (!answer.ok) throw await problemOf(answer);
  return answer.status === 204 ? null : answer.json();
};
