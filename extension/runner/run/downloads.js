/** @import { DownloadTold } from "../../types/wire" */
/** @import { Context } from "../../types/run" */

const MOST_DOWNLOADS = 20; // that one request tells of
const MOST_BYTES = 1_000_000; // of all their contents: a request has 2 MB, and the page goes along
const READ_MS = 5_000; // the longest that contents are waited for
const UNREADABLE = /^(image|audio|video|font)\//i;

/** A page may call its file anything. @param {string} name without signs that no server takes */
const plain = (name) => name.replace(/\p{Cc}|\p{Cs}/gu, "");

/** @param {Context} ctx @param {DownloadTold} download @returns {Promise<{data?: string, unread?: string}>} */
async function contentOf({ world }, download) {
  const { size = 0, mime = "", data, again, url } = download;
  if (data || UNREADABLE.test(mime)) return data ? { data } : {};
  if (size > MOST_BYTES) return { unread: "it is too large to be read" };
  if (!url) return { unread: "the page had let go of it" };
  if (!again) return { unread: "it was the answer to a form, which is not sent again to read it" };
  const read = world.ask("download.read", { download, most: MOST_BYTES }, { once: true, ms: READ_MS });
  return read.catch(() => ({ unread: "the site did not give the file again in time" }));
}

/**
 * What was downloaded, with its contents as far as they can be told; of the same file only once.
 *
 * @param {Context} ctx @param {DownloadTold[]} downloads @returns {Promise<DownloadTold[]>}
 */
export async function withContents(ctx, downloads) {
  /** @type {Map<string | number, DownloadTold>} */
  const distinct = new Map();
  // What the answer itself says of a file counts before what its link does.
  for (const [n, one] of downloads.entries()) if (one.attached !== undefined || !distinct.has(one.url)) distinct.set(one.url || n, one);
  const told = [...distinct.values()].slice(0, MOST_DOWNLOADS);
  const contents = await Promise.all(told.map((download) => contentOf(ctx, download)));
  let room = MOST_BYTES;
  return told.map(({ name, url, size, mime }, n) => {
    const { data, unread } = contents[n];
    const bytes = data ? Math.floor((data.replace(/==?$/, "").length * 3) / 4) : 0;
    const fits = bytes <= room;
    if (fits) room -= bytes;
    const kept = fits ? { ...(data ? { data } : {}), ...(unread ? { unread } : {}) } : { unread: "together with the others it is too large to be read" };
    return { name: plain(name), url, ...(mime ? { mime } : {}), ...((size ?? bytes) ? { size: size ?? bytes } : {}), ...kept };
  });
}
