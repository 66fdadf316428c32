/** @import { PickedFile, PickedFiles } from "../types/run" */

const DATABASE = "tabwright-files";
const STORE = "picked";
export const MOST_BYTES = 50 * 1024 * 1024; // the page holds the file twice while it arrives
const CHANNEL = "tabwright-files";

/** @param {number} tabId @param {string} name */
const keyOf = (tabId, name) => `${tabId} ${name}`;

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @template T @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} use
 * @returns {Promise<T>}
 */
async function transact(mode, use) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = use(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? request.error);
    });
  } finally {
    database.close();
  }
}

/**
 * Files on their way from the panel, which has the picker, to the runner, which may restart before it
 * uses them: kept in the extension's IndexedDB until they are used.
 *
 * @type {PickedFiles & {put(tabId: number, picked: PickedFile): Promise<void>}}
 */
export const pickedFiles = {
  get: (tabId, name) => transact("readonly", (store) => store.get(keyOf(tabId, name))),
  async put(tabId, picked) {
    await transact("readwrite", (store) => store.put(picked, keyOf(tabId, picked.name)));
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage({ tabId });
    channel.close();
  },
  async forget(tabId, name) {
    const which = name === undefined ? IDBKeyRange.bound(`${tabId} `, `${tabId} \uffff`) : keyOf(tabId, name);
    await transact("readwrite", (store) => store.delete(which));
  },
};

/** @param {(tabId: number) => void} onPick called when a file was picked for that tab, in any document of the extension */
export function onPicked(onPick) {
  new BroadcastChannel(CHANNEL).addEventListener("message", ({ data }) => onPick(data.tabId));
}
