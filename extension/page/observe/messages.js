// Finds the messages by which the page reports success and failure.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "findMessages")) return;

  const MAX_MESSAGES = 10;
  const MAX_TEXT = 200; // characters; a longer text is no message
  const MAX_MARKUP = 2_000; // characters of text in an element that may be a message
  const LIVE = "[role=alert],[role=status],[role=alertdialog],[aria-live=polite],[aria-live=assertive],output";
  // Parts of the words in class names, without their first letter, which may be upper or lower case.
  const PARTS = ["oast", "nackbar", "lert", "otif", "otice", "lash", "rror", "uccess", "essage", "eedback", "nvalid"];
  const STATED = ["state", "status", "type"].map((name) => `[data-${name}=error],[data-${name}=success]`).join(",");
  // Words in class names and attributes, whatever language the page is in.
  const ERROR = /(^|[\s_-])(error|errors|errorlist|errortext|errormessages?|danger|invalid|fail|failed|failure|critical|negative)($|[\s_-])/i;
  const SUCCESS = /(^|[\s_-])(success|successful|succeeded|positive|confirmation)($|[\s_-])/i;
  const PASSING = /(^|[\s_-])(toast|snackbar|notification|flash|alert|notice)($|[\s_-])/i;
  // Classes that only set colour or shape, and elements that have such colours permanently.
  const COLOUR = /^(?:text|bg|border|btn|badge|link|table|list-group-item|icon|fa|is|has|label|tag|chip|pill|dot)[-_]/i;
  const BADGE = /(^|[\s_-])(badge|tag|chip|pill|label|dot|count|counter|status|state|btn|button|icon)($|[\s_-])/i;
  const BADGE_TEXT = 24; // characters
  const ELSEWHERE = "nav,[role=navigation],[role=menu],[role=menubar],[role=tablist],[role=log],[role=feed],[role=grid],thead";
  const FIELDS = "input:not([type=hidden]),select,textarea";

  /** The kind of a message: "alert" for failures, "status" for the rest. @param signs class names and attributes */
  page.messageKind = (signs, role, text) => {
    const plain = plainSigns(signs);
    if (ERROR.test(plain)) return "error";
    if (SUCCESS.test(plain)) return "success";
    return page.toneOf(text) || (role === "alert" ? "error" : "info");
  };

  /** @param {string} signs */
  const plainSigns = (signs) => signs.replace(/([a-z])([A-Z])/g, "$1-$2");

  /** @param {Element} el */
  const signsOf = (el) => ["class", "data-state", "data-status", "data-type"].map((name) => el.getAttribute(name) ?? "").join(" ");

  /** Whether it is a message, not a field, a button or a region full of controls. @param {Element} el */
  function isMessage(el) {
    if (el.matches("input,select,textarea,button,a,form,body,label,option,[role=option],[role=dialog]") || !page.isShown(el)) return false;
    if (el.querySelector(`${FIELDS},form`)) return false;
    const { width, height } = el.getBoundingClientRect();
    return width > 1 && height > 1;
  }

  /** The visible messages, outermost only, in document order. */
  page.findMessages = () => {
    /** @type {Message[]} */
    const found = [];
    for (const el of [...page.queryAll(page.MESSAGE), ...page.toasts()]) {
      if (found.length >= MAX_MESSAGES) break;
      const message = found.some((outer) => page.composedContains(outer.el, el)) ? null : page.messageAt(el);
      if (message) found.push(message);
    }
    /** @param {{el: Element}} one */
    const isNew = ({ el }) => !found.some((message) => message.el.contains(el) || el.contains(message.el));
    found.push(...wrongFields(MAX_MESSAGES).filter(isNew).map(errorMessage));
    found.push(...fieldErrors().filter(isNew).slice(0, MAX_MESSAGES).map(errorMessage));
    return found;
  };

  /** @param {{el: Element, text: string}} about @returns {Message} */
  const errorMessage = ({ el, text }) => ({ el, text, live: false, kind: "error", state: "alert" });

  /** Elements that might be messages. */
  page.MESSAGE = `${LIVE},${PARTS.map((part) => `[class*=${part}]`).join(",")},${STATED}`;

  /** The message an element shows; null if it shows none. */
  page.messageAt = (el) => {
    const live = el.matches(LIVE);
    const signs = signsOf(el);
    const named = !live && isNotice(el, signs);
    if (!live && !named && !isToast(el)) return null;
    if (!isMessage(el) || el.closest(ELSEWHERE)) return null;
    const whole = page.textOf(el, { max: MAX_TEXT, skip: isButton });
    if (!/\p{L}{2}/u.test(whole) || (!live && isBadge(el, signs, whole))) return null;
    const text = page.clip(whole, MAX_TEXT);
    const role = el.getAttribute("role") ?? (el.getAttribute("aria-live") === "assertive" ? "alert" : "");
    const kind = isQuestion(el, role) ? "info" : page.messageKind(live || named ? signs : "", role, whole.length > MAX_TEXT ? "" : text);
    return live || named || kind !== "info" ? { el, text, live, kind, state: role === "alert" ? "alert" : "status" } : null;
  };

  /** Whether an alert offers a choice, so that it is a question. @param {Element} el @param {string} role */
  const isQuestion = (el, role) => role === "alertdialog" && [...el.querySelectorAll("button,[role=button]")].filter((button) => page.nameOf(button, "btn")).length > 1;

  /** @param {Element} el */
  const isButton = (el) => el.matches("button,[role=button]");

  /** Whether it is a badge, such as a coloured "Active" in a table. @param {Element} el @param {string} signs @param {string} text */
  function isBadge(el, signs, text) {
    if (text.length <= BADGE_TEXT && BADGE.test(plainSigns(signs))) return true;
    const cell = el.closest("td,th,[role=gridcell],[role=cell]");
    return cell !== null && !cell.querySelector(FIELDS);
  }

  /** Whether a class name alone is enough: only if it says success, failure or toast. @param {Element} el @param {string} signs */
  function isNotice(el, signs) {
    const plain = plainSigns(signs.split(/\s/).filter((sign) => !COLOUR.test(sign)).join(" "));
    return (ERROR.test(plain) || SUCCESS.test(plain) || PASSING.test(plain)) && (el.textContent ?? "").length < MAX_MARKUP;
  }

  /** The messages that were not there when the last action began, whether gone again or not. */
  page.newMessages = (messages, before) => {
    const fresh = messages.filter(({ text }) => !before.has(text));
    const texts = (/** @type {MessageKind} */ kind) => [...new Set(fresh.filter((message) => message.kind === kind).map(({ text }) => text))];
    return { errors: texts("error"), successes: texts("success") };
  };

  const MAX_TOAST_TEXT = 160; // characters
  const MAX_PARTS = 25; // elements in it
  const MAX_LEVELS = 4; // ancestors up to the fixed one, and from the body down to that
  const MAX_LAYERS = 40; // children of the body checked, last first, since layers are appended
  const MAX_SHARE = 0.25; // largest share of the screen
  const HOLDS_MORE = "input,select,textarea,form,nav,h1,h2,table,ul,ol,iframe";
  const DIALOG = "dialog,[role=dialog],[role=alertdialog],[aria-modal=true]";
  const CONSENT = /cookie|gdpr|consent|datenschutz|הסכמה/i;

  /** Whether its content fits a toast, checked before its position. */
  page.mayBeToast = (el) => {
    const length = el.textContent?.length ?? 0;
    if (length < 2 || length > MAX_TOAST_TEXT || el.getElementsByTagName("*").length > MAX_PARTS) return false;
    return el.querySelector(HOLDS_MORE) === null && !el.matches(`${DIALOG},${HOLDS_MORE},a,button,script,style`) && !CONSENT.test(el.textContent ?? "");
  };

  /** Whether it or an ancestor is fixed above the page and holds only such boxes; a sentence in a dialog does not count. @param {Element} el */
  function isFixed(el) {
    let up = /** @type {Element | null} */ (el);
    for (let level = 0; up && level < MAX_LEVELS; level += 1, up = page.parentOf(up)) {
      if (getComputedStyle(up).position === "fixed") return !up.matches(DIALOG) && up.querySelector(`${DIALOG},${HOLDS_MORE}`) === null;
    }
    return false;
  }

  /** A choice of answers is a question, not a message. @param {Element} el */
  function hasAnswers(el) {
    const buttons = [...el.querySelectorAll("button,[role=button],a")].filter((button) => /\p{L}{2}/u.test(button.textContent ?? ""));
    return buttons.length > 1 || el.querySelectorAll("button,a").length > 2;
  }

  /** @param {Element} el */
  const isToast = (el) => {
    if (!page.mayBeToast(el) || hasAnswers(el)) return false;
    const { width, height } = el.getBoundingClientRect();
    if (width < 40 || height < 12 || width * height > MAX_SHARE * innerWidth * innerHeight) return false;
    return isFixed(el);
  };

  /** The boxes above the page that can be toasts. */
  page.toasts = () => {
    const layers = [...document.body?.children ?? []].slice(-MAX_LAYERS).filter((layer) => !/^(?:main|script|style|form|table)$/.test(layer.localName));
    return layers.flatMap((layer) => toastsIn(layer, 0));
  };

  /** @param {Element} layer @param {number} level @returns {Element[]} */
  function toastsIn(layer, level) {
    if (page.mayBeToast(layer)) return isToast(layer) ? [layer] : [];
    if (level >= MAX_LEVELS - 1 || layer.childElementCount > 10 || (layer.textContent?.length ?? 0) > 10 * MAX_TOAST_TEXT) return [];
    return [...layer.children].flatMap((child) => toastsIn(child, level + 1));
  }

  const VALIDATED_FIELDS = "input:not([type=hidden]):not([type=submit]):not([type=button]),select,textarea";
  const CONTROL = "input:not([type=hidden]),select,textarea,button,[role=button],a[href]";
  const ENDS = /^(td|th|tr|body|form|fieldset|main)$/; // text beyond these belongs to no single field
  const MAX_FIELDS = 60;
  const MAX_WRAPPERS = 3;
  const MAX_ERROR_TEXT = 150; // characters

  /** The texts, with their elements. @returns {{el: Element, text: string}[]} */
  const fieldErrors = () => {
    /** @type {Map<Element, string>} */
    const found = new Map();
    let looked = 0;
    const fields = page.queryAll(VALIDATED_FIELDS);
    for (const [at, field] of fields.entries()) {
      if (looked >= MAX_FIELDS) break;
      looked += 1;
      if (!page.isShown(field)) continue;
      for (const el of errorsAfter(field, [fields[at - 1], fields[at + 1]])) if (!found.has(el)) found.set(el, page.textOf(el, { max: MAX_ERROR_TEXT }));
    }
    return [...found].filter(([, text]) => text.length > 2 && text.length <= MAX_ERROR_TEXT).map(([el, text]) => ({ el, text }));
  };

  /**
   * The error messages of invalid fields: the page's, or the browser's after the form was submitted.
   * @param {number} max fields @returns {{el: Element, text: string}[]}
   */
  const wrongFields = (max) => {
    const marked = [...page.queryAll("[aria-invalid=true],[aria-invalid=grammar],[aria-invalid=spelling]")].filter(page.isShown);
    const found = marked.slice(0, max).flatMap((field) => [...page.refs(field, "aria-errormessage"), ...page.refs(field, "aria-describedby")].filter(page.isShown));
    const messages = [...new Set(found)].map((el) => ({ el, text: page.textOf(el, { max: MAX_ERROR_TEXT }) })).filter(({ text }) => text !== "");
    return [...messages, ...page.queryAll("form").flatMap(browserErrors).slice(0, max)];
  };

  /** The browser's messages for the fields of a form it did not submit. @param {Element} form */
  function browserErrors(form) {
    const fields = /** @type {HTMLInputElement[]} */ ([.../** @type {HTMLFormElement} */ (form).elements]);
    const wrong = fields.slice(0, MAX_FIELDS).filter((field) => page.isUserInvalid(field) && field.localName !== "fieldset" && page.isShown(field));
    return wrong.filter((field) => field.validationMessage).map((field) => {
      const name = page.nameOf(field, page.roleOf(field) ?? "inp");
      return { el: page.labelsOf(field)[0] ?? field.parentElement ?? form, text: name ? `${name}: ${field.validationMessage}` : field.validationMessage };
    });
  }

  /** Red elements after a field and before the next control. @param {Element} field @param {(Element | undefined)[]} others the fields before and after it @returns {Element[]} */
  function errorsAfter(field, others) {
    let up = /** @type {Element | null} */ (field);
    for (let level = 0; up && level < MAX_WRAPPERS; level += 1, up = up.parentElement) {
      for (let next = up.nextElementSibling; next && !next.matches(CONTROL) && !next.querySelector(CONTROL); next = next.nextElementSibling) {
        if (!next.textContent?.trim() || next.textContent.length > 2 * MAX_ERROR_TEXT || !page.isShown(next)) continue;
        if (isRed(innermost(next))) return [next];
        break;
      }
      const parent = up.parentElement;
      if (!parent || ENDS.test(parent.localName) || others.some((other) => other && parent.contains(other))) break;
    }
    return [];
  }

  /** @param {Element} el */
  function innermost(el) {
    let inner = el;
    while (inner.childElementCount === 1 && inner.children[0].textContent?.trim()) inner = inner.children[0];
    return inner;
  }

  /** Whether it has a warning red: the red component strong and well above the others. @param {Element} el */
  function isRed(el) {
    const [red, green, blue] = (getComputedStyle(el).color.match(/[\d.]+/g) ?? []).map(Number);
    return red >= 140 && green < 0.55 * red && blue < 0.6 * red;
  }

  const BAD = [
    "errors?|failed|failure|invalid|incorrect|wrong|denied|not found|unable|cannot|can't|could not|couldn't|must|is required|already exists|try again|please (?:enter|fill|select|provide|choose|correct|specify|complete|accept|tick|pick|add)|expired|rejected",
    "fehler\\p{L}{0,30}|fehlgeschlagen|ungültig\\p{L}{0,30}|falsch\\p{L}{0,30}|nicht gefunden|verweigert|konnten? nicht|kann nicht|muss|müssen|erforderlich|pflichtfeld|bitte (?:geben|wählen|füllen|korrigieren|prüfen)|existiert bereits|abgelehnt|abgelaufen",
    "erreurs?|échec|échoué|invalides?|incorrecte?s?|introuvable|refusée?|impossible|obligatoire|requise?|veuillez|existe déjà|expirée?",
    "falló|fallado|fallo|inválid[oa]s?|no válid[oa]s?|incorrect[oa]s?|no encontrad[oa]|denegad[oa]|no se (?:pudo|puede|ha podido)|obligatori[oa]s?|requerid[oa]s?|ya existe|debe|rechazad[oa]",
    "erros?|falhou|falha|incorret[oa]s?|não encontrad[oa]|negad[oa]|não foi possível|obrigatóri[oa]s?|já existe|deve|recusad[oa]",
    "שגיאה|שגיאות|נכשלה?|לא תקינה?|לא חוקית?|שגויה?|לא נמצאה?|נדחתה?|נדחה|לא ניתן|חובה|נדרשת?|כבר קיימת?|יש (?:למלא|לבחור|להזין)",
  ].join("|");
  const GOOD = [
    "success(?:fully|ful)?|saved|created|added|updated|deleted|removed|sent|submitted|completed|thank you|thanks|done|welcome|copied|uploaded|booked|confirmed",
    "erfolgreich\\p{L}{0,30}|erfolg|gespeichert|angelegt|erstellt|hinzugefügt|aktualisiert|geändert|gelöscht|entfernt|gesendet|abgeschlossen|danke|vielen dank|kopiert|hochgeladen|bestätigt|übernommen",
    "succès|réussie?s?|enregistrée?s?|sauvegardée?s?|créée?s?|ajoutée?s?|mise?s? à jour|modifiée?s?|supprimée?s?|envoyée?s?|terminée?s?|merci|bienvenue|copiée?s?|confirmée?s?",
    "éxito|correctamente|guardad[oa]s?|cread[oa]s?|añadid[oa]s?|agregad[oa]s?|actualizad[oa]s?|modificad[oa]s?|eliminad[oa]s?|borrad[oa]s?|enviad[oa]s?|completad[oa]s?|gracias|bienvenid[oa]|confirmad[oa]s?",
    "sucesso|salv[oa]s?|criad[oa]s?|adicionad[oa]s?|atualizad[oa]s?|alterad[oa]s?|excluíd[oa]s?|removid[oa]s?|concluíd[oa]s?|obrigad[oa]|bem-vind[oa]",
    "בהצלחה|נשמרה?|נשמרו|נוצרה?|נוספה?|נוסף|עודכנה?|עודכן|נמחקה?|הוסרה?|נשלחה?|הושלמה?|הושלם|תודה",
  ].join("|");
  const START = "(?<![\\p{L}\\p{N}_])"; // no unbounded repetition: the search takes linear time
  const END = "(?![\\p{L}\\p{N}_])";
  const IS_BAD = new RegExp(`${START}(?:${BAD})${END}`, "iu");
  const IS_GOOD = new RegExp(`${START}(?:${GOOD})${END}`, "iu");
  const IS_UNDONE = new RegExp(`${START}(?:not|never|nicht|kein\\p{L}{0,30}|pas|no|não|לא)(?: \\p{L}{1,30}){0,2} (?:${GOOD})${END}`, "iu");
  const NO_ERRORS = new RegExp(`${START}(?:(?:no|0|zero|without|any|keine|ohne|0|aucune|sans|sin|sem|ningún|nenhum|ללא|אין)(?: \\p{L}{1,30})? (?:errors?|fehler|erreurs?|error(?:es)?|erros?|שגיאות|שגיאה))${END}`, "iu");
  // A warning about something to come says nothing about how it went.
  const FINAL = new RegExp(`${START}(?:(?:cannot|can't|can not) be (?:undone|reversed|recovered|restored)|(?:kann|können) nicht (?:rückgängig gemacht|wiederhergestellt|widerrufen)|ne (?:peut|peuvent|pourra|pourront) (?:pas|plus) être (?:annulée?s?|récupérée?s?|restaurée?s?)|impossible (?:d'annuler|de revenir en arrière)|no se (?:puede|podrá|pueden) (?:deshacer|revertir|recuperar)|não (?:pode|poderá|podem) ser (?:desfeit[oa]s?|revertid[oa]s?|recuperad[oa]s?)|לא ניתן (?:לבטל|לשחזר))${END}`, "iu");

  /** Whether a text's words tell of an error or a success; "" if neither. */
  page.toneOf = (text) => {
    const words = text.replace(NO_ERRORS, " ").replace(FINAL, " ");
    if (IS_BAD.test(words) || IS_UNDONE.test(words)) return "error";
    return IS_GOOD.test(text) ? "success" : "";
  };
})();
