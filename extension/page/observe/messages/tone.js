// Words for success and failure, in the languages of app/authorization/risk/words.py.
(() => {
  const page = globalThis.__tabwright;
  if (Object.hasOwn(page, "toneOf")) return;

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

  /** Whether a text's words tell of an error or a success; "" if neither. @param {string} text @returns {"error" | "success" | ""} */
  page.toneOf = (text) => {
    const words = text.replace(NO_ERRORS, " ").replace(FINAL, " ");
    if (IS_BAD.test(words) || IS_UNDONE.test(words)) return "error";
    return IS_GOOD.test(text) ? "success" : "";
  };
})();
