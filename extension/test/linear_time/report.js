/**
 * Times every pattern and every text function of the scripts over texts that are made to hold them up.
 *
 *     node test/pumped.js [--json] [--functions]
 *
 * With `--json` a line each: kind, where, ms at 1k, 10k and 100k characters, verdict. Ends with 1 where one is not linear.
 */
import { everyFunction, runnable } from "./functions.js";
import { everyPattern } from "./patterns.js";
import { proofOf } from "./proof.js";
import { timed } from "./timing.js";

const asJson = process.argv.includes("--json");
let failed = 0;

/** @param {"pattern" | "function"} kind @param {string} where @param {(text: string) => unknown} run @param {string} [refused] */
function tell(kind, where, run, refused = "") {
  const { ms, verdict, text } = timed(run);
  const says = refused || verdict;
  if (says !== "linear") failed = 1;
  if (asJson) console.log(JSON.stringify({ kind, where, ms, verdict: says, text }));
  else console.log(`${Object.values(ms).map((one) => one.toFixed(2).padStart(9)).join("")}  ${says.padEnd(28)} ${where} on ${text}`);
}

if (!process.argv.includes("--functions")) {
  for (const one of everyPattern().patterns) {
    const { safe, says } = proofOf(one);
    const pattern = new RegExp(one.source, one.flags.includes("g") ? one.flags : `${one.flags}g`);
    tell("pattern", `${one.where} /${one.source}/${one.flags}`, (text) => text.replace(pattern, ""), safe ? "" : says);
  }
}
const { runs, unread } = await runnable(everyFunction());
for (const { where, run } of runs) tell("function", where, run);
for (const where of unread) console.error(`only a browser reads ${where}`);
process.exit(failed);
