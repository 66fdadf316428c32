import { MOST_BYTES } from "../../shared/picked_files.js";

/** @import { Context, PageClient } from "../../types/run" */
/** @import { PlannedAction } from "../../types/wire" */

const PIECE_BYTES = 1024 * 1024; // about 1.4 MB of base64 per message; Chrome allows 64 MB
const PIECE_MS = 15_000;

/** MIME types of files made from text, by extension; anything else is plain text. @type {Record<string, string>} */
const TYPES = { csv: "text/csv", json: "application/json", md: "text/markdown", html: "text/html", xml: "application/xml" };

/**
 * Waits until the person has picked the action's file or declined.
 *
 * @param {Context} ctx @param {PlannedAction} item only uploads need a file
 */
export async function awaitFile(ctx, { actionDetails: { name, args } }) {
  if (name !== "uploadFile" || args.text !== undefined || !ctx.world.files) return;
  const wanted = String(args.name);
  while (!(await ctx.world.files.get(ctx.run.tabId, wanted))) {
    const text = `Choose the file '${wanted}' for this page.`;
    ctx.show({ type: "notice", notice: { kind: "file", text, file: { tabId: ctx.run.tabId, name: wanted } } });
    await ctx.rest(2_000);
  }
  if (ctx.run.view.notice?.kind === "file") ctx.show({ type: "notice", notice: null });
}

/** @param {Blob} piece @returns {Promise<string>} base64 */
function base64(piece) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",", 2)[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(piece);
  });
}

/** @param {string} name @param {string} text */
const createFile = (name, text) => new File([text], name, { type: TYPES[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "text/plain" });

/** The file the person picked under that name; it is removed, so it can be used once. @param {Context} ctx @param {string} name */
async function takePickedFile({ run, world: { files } }, name) {
  const found = await files?.get(run.tabId, name);
  await files?.forget(run.tabId, name);
  return found?.file;
}

/**
 * Sends a file to the page in pieces: one that the person picked, or one made from `text`. The last piece performs the upload.
 *
 * @param {Context} ctx @param {PageClient} page @param {{id: string, name: string, text?: string}} args
 * @returns {Promise<PageActionResult>}
 */
export async function upload(ctx, page, args) {
  const file = args.text === undefined ? await takePickedFile(ctx, args.name) : createFile(args.name, args.text);
  if (!file) return { status: "failure", error: { code: "FILE_NOT_CHOSEN", message: `The person did not choose '${args.name}'` } };
  if (file.size > MOST_BYTES) {
    const message = `'${args.name}' is larger than ${MOST_BYTES / 1024 / 1024} MB`;
    return { status: "failure", error: { code: "FILE_TOO_LARGE", message } };
  }
  const sent = { id: args.id, name: file instanceof File ? file.name : args.name };
  for (let offset = 0; ; offset += PIECE_BYTES) {
    const end = Math.min(offset + PIECE_BYTES, file.size);
    const data = await base64(file.slice(offset, end));
    const last = end === file.size;
    const reply = await page.request("upload", { args: sent, mime: file.type, offset, data, last }, PIECE_MS);
    if (last || reply.status === "failure") return reply;
  }
}
