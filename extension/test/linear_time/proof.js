import { everyPattern } from "./patterns.js";

/** @import { Pattern } from "./patterns.js" */

process.env.RECHECK_BACKEND = "pure"; // its own processes and its Java come as other packages, which are not installed
const { checkSync } = await import("recheck");

const TIMEOUT = 60_000; // ms; every pattern takes well under a second of CPU, on a machine that does other things too

/** @type {Map<string, { safe: boolean, says: string }>} */
const proven = new Map();

/**
 * Whether a search takes time that grows with the text alone. Only the proof by automaton counts, not a search for attacks that found none.
 *
 * @param {Pick<Pattern, "source" | "flags">} pattern @returns {{ safe: boolean, says: string }}
 */
export function proofOf({ source, flags }) {
  const key = `/${source}/${flags}`;
  const known = proven.get(key);
  if (known) return known;
  const { status, complexity, attack, error } = checkSync(source, flags, { checker: "automaton", timeout: TIMEOUT });
  const says = status === "safe" ? "linear" : (attack ? `${complexity?.summary}: ${attack.pattern}` : `not proven: ${error?.kind}`);
  const made = { safe: status === "safe", says };
  proven.set(key, made);
  return made;
}

/** @returns {{ where: string, says: string }[]} the patterns of every script that are not proven to be linear */
export const unproven = () => everyPattern().patterns.map((one) => ({ where: `${one.where} /${one.source}/${one.flags}`, ...proofOf(one) })).filter(({ safe }) => !safe).map(({ where, says }) => ({ where, says }));
