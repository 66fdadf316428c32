/** The object the page scripts share; it survives a second injection, so that ids and observers live on. */
globalThis.__tabwright ??= /** @type {PageNamespace} */ ({});
