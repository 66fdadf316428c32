/** What is used of DOMPurify. */
declare const purify: {
  isSupported: boolean;
  sanitize(
    html: string,
    options: {
      ALLOWED_TAGS: string[];
      ALLOWED_ATTR: string[];
      ALLOWED_URI_REGEXP: RegExp;
      ALLOW_DATA_ATTR: false;
      ALLOW_ARIA_ATTR: false;
      RETURN_DOM_FRAGMENT: true;
    },
  ): DocumentFragment;
};
export default purify;
