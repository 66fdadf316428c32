/** The one object the page scripts share; kept over a second injection, so that ids and watches live on. */
globalThis.__tabwright ??= /** @type {PageNamespace} */ ({});
