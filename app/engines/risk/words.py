# ruff: noqa: RUF001  (a multiplication sign is what many close buttons show)
"""The words controls go by, in English, German, French, Spanish, Portuguese and Hebrew.

Each entry is a stem: it matches where a word of the folded text begins with it; a trailing `$` asks
for the whole word, `+` joins words of a phrase that may have one word between them, `_` words that
follow each other. Words of one language stand together, so that a missing one is easy to see.
"""

# What is hard to undo, by what it does.
DESTROYS = """
delete delet remove$ removal erase destroy purge wipe discard revoke terminate deactivate
unsubscribe
uninstall drop$ trash void$ ban$ block$ cancel+subscription cancel+account cancel+order
close+account reset+all factory
losch entfern vernicht widerruf deaktivier kundig abbestell konto+schliess stornier
supprim efface detrui revoqu desactiv resili desabonn
elimin borrar$ borra$ borre$ suprim revoc desactiv anular+suscr cancelar+suscr dar+de+baja
exclu apagar$ apaga$ apague$ remover$ remova$ revog desativ cancelar+assin
מחק מחיק הסר$ הסרה בטל+מנוי השבת
"""

SPENDS = """
pay$ payment$ purchase$ buy checkout place+order order$ order+now donate$ transfer$ withdraw bid$
subscribe
bezahl zahl$ kauf bestell uberweis spende$ abonnier kostenpflichtig
payer$ payez paie achet commander$ commandez virement$ don$ souscri
pagar$ pague$ pago$ comprar$ compre$ compra$ pedido$ transferir$ retirar$ donar$ suscrib
pagamento comprar$ finalizar+compra finalizar+pedido transferir$ doar$ assinar$ assine$
שלם$ לתשלום תשלום רכישה קנה$ קנייה הזמן$ העבר+כסף תרום$
"""

TELLS = """
send$ publish post$ tweet$ broadcast share$ invite forward$ reply$ email+all
senden$ absend sende$ veroffentlich teilen$ einlad weiterleit antworten$
envoy publie partag invite$ inviter$ transfere repond
enviar$ envia$ envie$ public compart invit reenvi respond
publiq convid encaminh
שלח$ שליחה פרסם$ פרסום שתף$ הזמן+משתמש
"""

DECIDES = """
deploy release$ merge$ approve$ reject$ sign$
genehmig ablehn freigeb
approuv rejet
aprobar$ rechaz
aprovar$ rejeit
אשר$ דחה$
"""

GRANTS = """
change+password reset+password grant permission make+admin transfer+ownership regenerate+key
rotate+key
passwort+ander berechtig changer+mot+de+passe autoris cambiar+contrasena permiso alterar+senha
permiss
שנה+סיסמה הרשא
"""

LEAVES = """
log+out logout sign+out signout log+off abmeld deconnexion deconnect se+deconnecter
cerrar+sesion desconect sair$ terminar+sessao התנתק יציאה$
"""

RISKY = f"{DESTROYS} {SPENDS} {TELLS} {DECIDES} {GRANTS} {LEAVES}"

# How people ask for it, besides by the words that controls go by.
ASKS = {
    "destroys": """
    clear clean+up get+rid cancel empty throw+away take+off take+out leer aufraum vider vaci esvazi
    limpi limpar בטל$ נקה$ רוקן
    """,
    "spends": """
    booking reserv rent$ subscri complete+order finish+order renew top+up
    buch reservier miet reserv alquil alug loue הזמן הזמינ השכר
    """,
    "tells": """
    submit hand+in turn+in write tell respond answer notify inform announce
    einreich schreib nachricht mitteil melde
    soumet ecri messag repond
    escrib mensaj avis
    escrev mensag
    הגש כתוב הודע
    """,
    "decides": "accept confirm decline deny agree annehm akzeptier accept acept rechaz confirm אשר קבל",
    "grants": """
    access rights admin owner password key$ zugriff rolle recht passwort acces droit acceso
    rol$ contrasena acesso senha גיש סיסמ
    """,
    "leaves": "",
}

# Things as well as deeds: of these a person asks where one stands as a verb ("order two", "and
# post it"), not where it is named ("open the order").
NAMED = {
    "destroys": "drop trash void ban block cancel empty clear",
    "spends": "order transfer book buy purchase payment",
    "tells": "post share invite forward reply email mail message comment text contact send",
    "decides": "release merge sign accept confirm",
    "grants": "",
    "leaves": "",
}

# All there is of something, where one of it may have been meant.
TOTALITY = """
all$ everything every$ entire whole$ account$ workspace organi$ database alle$ alles samtlich konto$
tout$ tous$ toute$ toutes$ compte$ todo$ todos$ toda$ todas$ cuenta$ tudo conta$
הכל כל$ חשבון
"""

SUBMIT = """
submit save$ saves apply$ create add$ send$ confirm register sign+up sign+in log+in login$ signin
continue$ update$
ok$ okay$ done$ finish$ complete$ yes$ post$ publish search$ go$ find$ next$ book$ pay$
place+order order$ checkout
speicher anleg erstell hinzufug senden$ absend bestatig registrier anmeld weiter$ aktualisier
suche$ suchen$ fertig$ ubernehm
enregistr sauvegard cree ajout envoy confirm valid$ valider$ inscri connexion connect continuer$
recherch appliq soumet
guardar$ guarda$ crear$ anadir$ agregar$ enviar$ confirmar$ registr iniciar+sesion entrar$
continuar$ actualizar$ buscar$ aplicar$ aceptar$
salvar$ gravar$ criar$ adicionar$ cadastr pesquis atualizar$
שמור$ שמירה צור$ הוסף$ שלח$ אשר$ אישור הרשמה הירשם כניסה התחבר המשך$ עדכן$ חפש$ חיפוש
"""

SEARCH = """
search find$ filter go$ lookup look+up suche finden$ filtern$ recherch cherch filtr busca busque
filtra pesquis procur חפש חיפוש סנן סינון
"""

SIGN_IN = """
log+in login sign+in signin log+on anmeld einlogg connexion connect se+connecter iniciar+sesion
inicia+sesion acceder$
entrar$ fazer+login התחבר כניסה
"""

SIGN_OUT = """
log+out logout sign+out signout log+off abmeld deconnexion deconnect cerrar+sesion desconect sair$
terminar+sessao התנתק יציאה
"""

DISMISS = """
close$ dismiss cancel$ not+now no+thanks later$ got+it skip$ hide$ reject+all decline$
only+necessary necessary+only accept+necessary
essential ok$ maybe+later x$ ×$ ✕$ ✖$ back$ reset$ clear$
schliess abbrechen$ abbruch nicht+jetzt nein+danke spater$ verstanden$ uberspring ablehnen$
nur+notwendige zuruck$ zurucksetz
fermer$ annuler$ pas+maintenant non+merci plus+tard compris$ ignorer$ refuser$ tout+refuser
retour$ reinitialis
cerrar$ cancelar$ ahora+no no+gracias mas+tarde entendido$ omitir$ rechazar$ solo+necesarias
volver$ restablec
fechar$ agora+nao nao+obrigado mais+tarde entendi$ pular$ recusar$ rejeitar$ voltar$ limpar$
סגור$ סגירה ביטול$ בטל$ לא+עכשיו לא+תודה אחר+כך הבנתי$ דלג$ חזרה$ נקה$
"""

HARMLESS = """
search find$ filter sort draft preview view$ show$ next$ previous$ cancel$ undo$
suche filter entwurf vorschau anzeigen$ ansehen$ weiter$ abbrechen$
recherch filtre$ filtrer$ trier$ brouillon apercu voir$ afficher$ annuler$
buscar$ filtrar$ ordenar$ borrador ver$ mostrar$ cancelar$
pesquis rascunho visualiz
חפש חיפוש סנן טיוטה תצוגה הצג$ ביטול$
"""
