"""How names begin and end, and how dialogs ask, warn and are answered."""

# They stand before a command and change nothing of it.
FILLERS = """
yes please now just i we want would like to wish do confirm_that go_ahead_and go_ahead proceed_to
continue_to really
click_here_to click_to tap_to press_to me the this these that those my your our all selected also
immediately here
permanently forever im i_m sure and then it them let_s lets quick quickly safely securely secure instant
express
understand_and agree_and agree_to accept_and one_click confirm_and continue_and save_and next_and ok
okay a an hereby
anyway mass bulk a_new
ja jetzt bitte hiermit ich möchte wir sofort endgültig verbindlich kostenpflichtig zahlungspflichtig
wirklich den die das
dem der diese diesen dieses alle mein meine meinen ihre trotzdem unwiderruflich dauerhaft ausgewählte
oui je veux nous maintenant le la les l ce cet cette ces mon ma mes votre vos définitivement
s_il_vous_plaît tout tous
toutes vraiment quand_même immédiatement bien de_façon_permanente
sí si quiero por_favor ahora el los las este esta estos estas mi mis su sus todo todos todas
definitivamente de_forma
permanente permanentemente de_todos_modos de_verdad
sim quero agora o a os as meu minha meus minhas seu sua este esta tudo todos todas em_definitivo mesmo_assim
כן אני רוצה עכשיו נא בבקשה את ה לצמיתות כל הכל בכל_זאת מיד
"""

# A name that begins with one of these looks, moves about, opens or begins something.
LOOKS = """
remind_me reload recarregar_página recarregar_a_página recargar_página recargar_la_página desplegar_todo
recharger_la_page בטל_פעולה
view show see open browse search find look filter sort order_by sorted export download print copy
preview read how why
what when where who about learn help guide tips manage explore details see_all go_to jump_to navigate
track tracking
compare expand collapse toggle select choose pick hide undo redo edit draft drafts save_draft
save_as_draft new create
add_filter add_to_wishlist calculate check_balance check_availability test continue_shopping keep_shopping
proceed_to_checkout go_to_checkout continue_to_checkout continue_to_payment proceed_to_payment
go_to_payment switch display list history recent my all_orders last latest next previous forgot
forgotten faq question options settings configure customize review_your visit load refresh return_to
request_a_demo
use write compose start_a_new scroll zoom play listen watch count number_of total average most top best
popular never
pending scheduled sent deleted published shared archived cancelled canceled removed ordered paid
approved rejected
posted blocked reported trending similar related free_delivery delivery estimated
anzeigen ansehen zeige zeigen suche suchen finde finden filtern filter sortieren sortiert exportieren
herunterladen drucken
kopieren vorschau lesen wie warum was wann wo wer über hilfe mehr verwalten bearbeiten wählen auswählen
ausblenden neue
neuer neues neu rückgängig entwurf als_entwurf anleitung tipps meine letzte gesendete gelöschte
veröffentlichte informationen
infos weiter_einkaufen zur_kasse weiter_zur_kasse weiter_zur_zahlung zur_zahlung optionen öffnen häufige
voir afficher rechercher chercher trouver filtrer trier exporter télécharger imprimer copier aperçu lire
comment pourquoi
quand où qui quoi que aide en_savoir gérer modifier choisir sélectionner masquer nouveau nouvelle
nouveaux nouvelles
brouillon mode modes historique mes dernières derniers consulter ouvrir suivre détails
continuer_mes_achats passer_au_paiement procéder_au_paiement aller_au_paiement valider_mon_panier
ver mostrar buscar encontrar filtrar ordenar exportar descargar imprimir copiar leer cómo por_qué qué
cuándo dónde quién
ayuda más gestionar administrar editar elegir seleccionar ocultar nuevo nueva nuevos nuevas borrador
vista_previa método
métodos historial mis últimos últimas abrir consultar seguir deshacer detalles seguir_comprando
proceder_al_pago ir_al_pago continuar_al_pago pasar_por_caja ir_a_pagar opciones
exibir pesquisar procurar encontrar baixar ler como por_que o_que quando onde quem ajuda mais gerenciar
gerir escolher
selecionar esconder novo nova novos novas rascunho visualizar histórico meus minhas últimos desfazer
detalhes ver_mais
continuar_comprando ir_para_o_pagamento continuar_para_o_pagamento prosseguir_para_o_pagamento opções
acompanhar rastrear
הצג הצגת ראה צפה צפייה חפש חיפוש מצא סנן סינון מיין מיון ייצא ייצוא הורד הורדת הדפס הדפסה העתק תצוגה קרא
איך מדוע למה מה
מתי איפה מי עזרה עוד ניהול נהל ערוך עריכה עריכת בחר הסתר חדש חדשה טיוטה שמור_טיוטה היסטוריה פתח דפדף
מעקב פרטים
המשך_בקניות המשך_לתשלום מעבר_לתשלום למעבר_לתשלום עבור_לקופה כיצד
"""
# What follows a thing that only looks like a deed: "Order history", "Post title".
TAILS = """
history details detail number numbers status date id list lists summary settings option options type
types method methods
notes note title titles by overview limit limits price prices value count log logs report reports book
books template
templates form forms page pages info information management manager center centre policy policies
tracking list_view
confirmation receipt receipts analytics statistics stats ascending descending asc desc club shop cover
store covers view
preview editor folder quote quotes ratio capital amount fee fees rate rates terms period slip stub in up
list_item code
codes plan plans box boxes office channel channels group groups feed notification notifications address
addresses body
subject thread signature signature_settings message_history messages tab column items line request
requests key keys
only tree for_later file files panel menu time times icon size sizes name names
alt can outline outlined o fill filled solid slash 2 3 lines regular
"""

NOW = """
now today it this here jetzt sofort maintenant ahora ya agora já עכשיו כאן
"""
AT_ONCE = "now jetzt sofort maintenant immédiatement ahora ya agora já עכשיו מיד"
# Of these an order or a visit is only begun: what it comes to is agreed to later.
BEGINS = """
start begin start[en] beginn[en] démarr[er] commenc[er] inici[ar] comenz[ar] empez[ar] começ[ar]
התחל
"""
# Carrying out what is named with them.
CARRIES_OUT = """
confirm complete finalize finalise finish place make process execute issue initiate submit run perform
release validate
commit schedule start proceed_with confirming accept request cast extend authorize authorise approve
bestätig[en] abschließ[en] ausführ[en] tätig[en] aufgeb[en] durchführ[en] freigeb[en] beauftrag[en]
auslös[en] anleg[en]
einreich[en] vornehm[en] abgeb[en] vereinbar[en] veranlass[en] anforder[n] beantrag[en]
confirm[er] valid[er] effectu[er] finalis[er] passer exécut[er] termin[er] réalis[er] faire autoris[er]
procéder_au lanc[er]
soumettre soumettez honor[er] demand[er]
confirm[ar] finaliz[ar] realiz[ar] complet[ar] hacer haz efectu[ar] tramit[ar] ejecut[ar] autoriz[ar]
proces[ar] emit[ar]
emitir termin[ar] cerrar conclu* fazer faça efetu[ar] execut[ar] process[ar] fechar submet* envi[ar]
inici[ar] solicit[ar]
בקש אשר אישור בצע ביצוע השלם השלמת סיים סיום לאשר לבצע להשלים אשרי הגש הגשת להגיש קבע
"""
HANDS_IN = """
submit turn_in hand_in lodge cast file_a einreich[en] abgeb[en] absend[en] soumettre soumettez dépos[er]
remettre present[ar]
entreg[ar] submeter envi[ar] הגש הגשת הגשה להגיש
"""
VALIDATES = """
confirm validate approve bestätig[en] confirm[er] valid[er] confirm[ar] valid[ar] אשר אישור לאשר
"""
WITHDRAWS = """
cancel abort annul annul[er] cancel[ar] anul[ar] בטל בטלי לבטל ביטול cancelación_de
"""
HALTS = """
end stop halt kill cease discontinue beend[en] stopp[en] anhalt[en] arrêter arrêtez interrompre cesser
mettre_fin_à mettre_fin_au
detener detenga parar interrumpir interromper encerr[ar] הפסק הפסקת להפסיק עצור עצירת לעצור
"""
SHUTS = """
close schließ[en] abschließ[en] auflös[en] clôtur[er] fermer fermez cerrar cierra cierre encerr[ar]
fechar feche סגור סגרי לסגור סגירת סגירה
"""
ENDS = """
end stop terminate kill halt quit abort beend[en] abbrech[en] stopp[en] arrêter arrêtez terminer interrompre
mettre_fin_à termin[ar]
detener detenga finaliz[ar] par[ar] encerr[ar] interromper סיים סיום הפסק הפסקת עצור עצירת כבה
"""
RESETS = """
reset clear restore erase format flush zurücksetz[en] leer[en] formatier[en] réinitialis[er] vider videz
format[er]
restablecer restablezca vaciar limpi[ar] format[ar] reinici[ar] redefinir redefina esvazi[ar] אפס איפוס
נקה ניקוי פרמט
"""
ALTERS = """
change update set create edit_and_save änder[n] setz[en] aktualisier[en] ändere neues chang[er]
modifi[er] cambi[ar] actualiz[ar]
establec* alter[ar] mud[ar] troc[ar] troca remplac[er] wechsel[n] atualiz[ar] defin* שנה שינוי לשנות
עדכן עדכון החלף החלפת קבע הגדר
"""
# The same, done at once.
RENEWS = """
reset regenerate generate rotate enable disable turn_on turn_off add assign transfer give allow remove
restore deny
promote share issue register
zurücksetz[en] generier[en] erneuer[n] aktivier[en] deaktivier[en] zuweis[en] übertrag[en] erteil[en]
vergeb[en] erzeug[en]
réinitialis[er] génér[er] régénér[er] activ[er] désactiv[er] attribu[er] transfér[er] ajout[er]
accord[er] autoris[er]
restablecer gener[ar] regener[ar] activ[ar] desactiv[ar] asign[ar] transferir otorg[ar] autoriz[ar]
redefinir ger[ar] ativ[ar] desativ[ar] atribu* regerar conced[er] conceder autoriz[ar] permitir
איפוס אפס צור יצירת הפק הפעל הפעלת כבה השבת העבר העברת הוסף הקצה בטל ביטול
"""

# Changes what is stored, and can be changed back.
CHANGES = """
save saves update create add new archive unarchive rename move assign unassign mark star unstar pin
unpin follow
unfollow like unlike connect enable disable import upload apply register submit duplicate clone restore
snooze complete
check_in checkin accept decline join rate vote subscribe close reopen resolve lock unlock mute unmute
hide undo merge
sync schedule replace insert set turn_on turn_off remove clear reset sign_up generate start stop restart
pause resume done
send_code attach link unlink tag untag label report flag approve vote_up
speicher[n] anleg[en] hinzufüg[en] erstell[en] aktualisier[en] archivier[en] umbenenn[en] verschieb[en]
zuweis[en] aktivier[en]
registrier[en] übernehm[en] anwend[en] deaktivier[en] wiederherstell[en] hochlad[en] folgen merken
markier[en] in_den_warenkorb in_den_einkaufswagen
enregistr[er] ajout[er] créer créez modifi[er] archiv[er] renomm[er] déplac[er] assign[er] activ[er]
appliqu[er] valider suivre
restaur[er] importer téléverser marqu[er]
guard[ar] añad[er] añadir agreg[ar] crear actualiz[ar] archiv[ar] renombr[ar] mover asign[ar] activ[ar]
aplic[ar] registr[ar]
restaur[ar] marc[ar] seguir subir incluir inscribir apuntar
eintrag[en] erfass[en] nachtrag[en] protokollier[en] consign[er] saisir anot[ar]
salv[ar] adicion[ar] cri[ar] atualiz[ar] arquiv[ar] renome[ar] atribuir ativ[ar] cadastr[ar] grav[ar]
שמור שמירה שמירת הוסף הוספה הוספת צור יצירה יצירת עדכן עדכון ארכב העבר שנה הקצה הפעל החל סמן שחזר
העבר_לארכיון העברה_לארכיון
"""
PUBLIC_UPLOAD = """
publish post share send public upload_and_publish veröffentlichen posten publier partager publicar
compartir compartilhar
postar פרסם פרסום שתף
"""
CONSENT = """
cookie cookies consent tracking einwilligung datenschutz consentement galletas privacidad
privacidade עוגיות
"""

DRAFTS = "draft drafts entwurf entwürfe brouillon borrador rascunho טיוטה כטיוטה"

# Words before a thing, which may have a verb behind it: "Neue Nachricht senden".
ADJECTIVES = """
neue neuer neues neu meine letzte mehr gesendete gelöschte mi mis mes meus minhas my all
"""
# What only tells about a thing, whatever follows: "How to delete and restore".
TELLS_HOW = """
how why what when where who which about learn help guide tips faq wie warum was wann wo wer über hilfe
anleitung so_geht_s so_geht_es
pourquoi quand où qui quoi aide cómo por_qué qué cuándo dónde quién ayuda como por_que o_que quando onde
quem ajuda איך מדוע
למה מה מתי איפה מי עזרה כיצד
"""
NEGATIONS = (
    "not nicht kein keine keinen pas nao don dont behalten keep beibehalten garder conserver"
)
# English verbs that are things too.
THINGS_TOO = "pay purchase checkout refund deploy ban freeze void"
LEAVES_GROUP = "leave verlassen verlasse quitter abandonar sair salir עזוב עזיבת"

# In Hebrew a deed and a thing; with what it is done to behind it, a deed.
CONSTRUCTS = "תשלום פרסום שיתוף"

BRINGS_BACK = """
restore revert wiederherstell[en] einspiel[en] zurückspiel[en] restaur[er] rétablir restaur[ar] שחזר
שחזור לשחזר
"""
