"""What messages say, in six languages; stems are written as `app.engines.risk.words` says."""

ERROR = """
error fail invalid incorrect wrong denied forbidden not_found not_saved not_valid not_allowed
not_possible not_match please_specify please_complete please_accept please_tick please_pick please_add
could_not couldn can_not cannot can_t$ unable unsuccessful required must missing mandatory
please_enter please_fill please_select
please_choose please_provide please_correct please_check please_try already_exists already_taken
already_in_use
already_registered expired unauthori problem went_wrong too_short too_long too_many too_large
try_again timed_out
fehler ungultig falsch fehlgeschlagen nicht_gefunden nicht_gespeichert nicht_moglich nicht_gultig
nicht_erlaubt konnte
erforderlich pflichtfeld bitte_geben bitte_wahlen bitte_fullen bitte_prufen abgelaufen
bereits_vorhanden verweigert
erreur echec echoue incorrecte obligatoire requis veuillez_remplir veuillez_saisir
veuillez_choisir veuillez_verifier impossible introuvable refuse expire
fallo fallid incorrect obligatori requerid no_se_pudo no_se_puede no_se_ha_podido no_encontrad
no_valid denegad caducad ya_existe
erro$ obrigatori falha falhou nao_foi_possivel nao_encontrad nao_valid negad expirad ja_existe
שגיאה נכשל לא_תקין לא_נמצא חובה לא_ניתן פג_תוקף נדחה
"""

SUCCESS = """
success saved created added updated deleted removed sent$ submitted completed confirmed registered
published uploaded booked
scheduled signed_in logged_in logged_out signed_out thank_you thanks welcome congratulations done$
copied received changed
applied enabled disabled placed accepted archived restored
erfolg gespeichert erstellt angelegt hinzugefugt aktualisiert geloscht gesendet bestatigt danke
willkommen registriert abgeschlossen ubernommen
succes enregistree$ enregistre$ enregistres$ cree$ creee$ ajoute mis_a_jour mise_a_jour supprime
envoye$ envoyee$ confirme merci bienvenue termine
exito guardad cread anadid agregad actualizad eliminad enviad confirmad gracias bienvenid
completad registrad
sucesso salvo$ salva$ salvos$ criad adicionad atualizad excluid obrigado$ obrigada$ bem_vindo
concluid cadastrad
בהצלחה נשמר נוצר נוסף עודכן נמחק נשלח תודה ברוך הושלם אושר
"""

BUSY = """
loading saving sending submitting processing please_wait working updating$ creating$ uploading$
deleting$ in_progress searching signing_in$ logging_in$ adding$ removing$ applying$ publishing$
verifying$ just_a_moment one_moment
wird_geladen wird_gespeichert wird_gesendet ladt laden$ speichert bitte_warten
chargement enregistrement_en_cours envoi_en_cours patientez veuillez_patienter
cargando guardando enviando procesando espere carregando salvando processando aguarde
טוען שומר$ שולח$ נא_להמתין אנא_המתן
"""

ERROR_PAGE = """
400$ 401$ 403$ 404$ 405$ 408$ 410$ 429$ 500$ 501$ 502$ 503$ 504$ error_400$ error_401$ error_403$
error_404$ error_500$ error_502$ error_503$ error_504$
page_not_found page_can_t_be_reached page_unavailable page_not_available site_not_found
file_not_found not_found forbidden bad_gateway bad_request
internal_server_error server_error service_unavailable access_denied this_site_can_t_be_reached
this_page_isn_t_working
seite_nicht_gefunden page_introuvable page_non_trouvee pagina_no_encontrada pagina_nao_encontrada
הדף_לא_נמצא העמוד_לא_נמצא
"""

DENIAL = """
no not 0 without never kein keine keinen nicht sans aucun aucune pas sin sem nao לא ללא אין
"""
