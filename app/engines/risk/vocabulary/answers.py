"""How a person says no, what a dialog may ask without harm, and families of commands by what they are
done to: money, keys, what is seen by all.
"""

# "No" in other words: it keeps things as they are.
DECLINES = """
maybe_later not_today not_this_time some_other_time another_time skip_for_now on_second_thought
changed_my_mind i_changed_my_mind let_me_think i_ll_think leave_it leave_as_is take_me_back go_back nah
i_ll_stay i_will_stay let_me_keep i_d_like_to_stay not_ready no_way i_d_rather_not rather_not
hold_on wait forget_it back_to_safety
doch_nicht lieber_nicht besser_nicht noch_nicht vielleicht_später ein_andermal nein_danke nein_doch_nicht
auf_keinen_fall lass_es so_lassen beibehalten es_mir_überlegen ich_überlege beim_alten
ich_bleibe wir_bleiben dabei_bleiben dabeibleiben
je_garde je_reste je_conserve je_préfère_garder finalement_je_garde me_quedo quiero_quedarme prefiero_seguir
quero_continuar_com quero_ficar quero_manter prefiro_manter prefiro_ficar fico
finalement_non plutôt_pas peut_être_plus_tard plus_tard pas_cette_fois une_autre_fois non_merci
laisser_tomber laisse_tomber tant_pis j_ai_changé_d_avis je_préfère_pas je_réfléchis revenir_en_arrière
mejor_no mejor_luego mejor_después luego después mejor_más_tarde quizás_luego quizá_más_tarde
tal_vez_después más_tarde otro_día en_otro_momento
todavía_no aún_no no_gracias lo_pensaré dejarlo_así déjalo me_lo_pienso prefiero_no dejar_como_está
melhor_não talvez_depois talvez_mais_tarde mais_tarde depois outra_hora outro_dia ainda_não não_obrigada
deixa_para_lá deixar_como_está deixar_assim prefiro_não pensando_melhor mudei_de_ideia vou_pensar
אולי_אחר_כך אחר_כך עדיף_לא בעצם_לא לא_תודה לא_עכשיו לא_היום עוד_לא בפעם_אחרת שיניתי_את_דעתי עזוב_את_זה
להשאיר השאירו השאר_כך תשאיר אולי_מאוחר_יותר מאוחר_יותר חזרה_אחורה
התחרטתי התחרטנו להישאר נשאר נשארת נשארים אני_רוצה_להישאר להמשיך_עם_המנוי
"""
# A short name that begins or ends with one of these says no.
SAYS_NO = "no nope not nein nicht non pas não nao לא שלא"
# Behind a "Yes" it leaves things as they are: "Yes, stay signed in".
KEEPS = """
stay keep remain bleiben behalten beibehalten rester garder conserver quedarme mantener conservar ficar manter
permanecer continuar_conectado angemeldet_bleiben rester_connecté השאר להישאר
"""

# Behind a "No" it puts off what it names: "No thanks, pay later".
POSTPONES = "later später tard tarde luego después depois מאוחר"

# What a dialog may ask or tell without harm: an answer to it changes at most what is seen.
HARMLESS_TOPICS = """
save_changes save_your_changes save_your_work unsaved_changes unsaved save_draft cookie* leave_page
leave_this_page leave_site leave_this_site language* translat* notification* location newsletter timezone
time_zone session timeout time_out idle still_there update_available new_version reload refresh welcome
tour tutorial what_s_new tip tips download* export* print* preview theme dark_mode appearance layout zoom
rate_us survey install_app add_to_home shortcut* help offline try_again not_found error could_not couldn_t
failed successful successfully saved uploaded sent_successfully sort filter view search
helpful useful satisfied years_old over_18 hilfreich nützlich utile aidé útil ayudado ajudou
עזר עזרה מועיל
änderungen_speichern ungespeichert* nicht_gespeichert seite_verlassen sprache benachrichtigung* standort
zeitzone sitzung neue_version aktualisier* neu_laden willkommen rundgang herunterlad* export* druck*
vorschau darstellung umfrage verbindung fehler fehlgeschlagen nicht_gefunden erfolgreich gespeichert
modifications_non_enregistrées enregistrer_les_modifications non_enregistré* quitter_la_page langue*
localisation fuseau_horaire nouvelle_version recharg* bienvenue visite_guidée télécharg* imprim*
aperçu thème mode_sombre sondage connexion_perdue erreur échec introuvable succès
guardar_los_cambios guardar_cambios cambios_sin_guardar sin_guardar salir_de_la_página salir_del_sitio
idioma* notificacion* ubicación boletín zona_horaria sesión nueva_versión recarg* bienvenid* descarg*
imprim* vista_previa modo_oscuro encuesta éxito
salvar_alterações alterações_não_salvas guardar_alterações não_salv* sair_da_página sair_do_site
notificaç* localização fuso_horário sessão nova_versão boas_vindas bem_vind* baixar pré_visualização
modo_escuro pesquisa_de_satisfação erro falha sucesso
לשמור_את_השינויים שינויים_שלא_נשמרו שלא_נשמר* לעזוב_את_הדף לצאת_מהדף שפה שפת התראות מיקום ניוזלטר עוגיות
אזור_זמן גרסה_חדשה רענון ברוכים הורדה הדפסה תצוגה* מצב_כהה סקר שגיאה נכשל* בהצלחה עוגיות
"""
# How a site asks for leave to tell or to see something of what is harmless.
ASKS_LEAVE = """
wants_to_send wants_to_show wants_to_access wants_to_use wants_to_know would_like_to_send
would_like_to_access would_like_to_use would_like_to_show möchte_ihnen möchte_dir möchte_auf
möchte_benachrichtigungen will_benachrichtigungen souhaite_vous_envoyer souhaite_envoyer souhaite_accéder
souhaite_utiliser veut_vous_envoyer veut_envoyer quiere_enviarte quiere_enviar quiere_acceder quiere_usar
desea_enviarte desea_enviar deseja_enviar quer_enviar deseja_acessar quer_acessar quer_usar רוצה_לשלוח
מבקש_לשלוח רוצה_לגשת מבקש_לגשת
"""
# How a sentence says that one is bound by the answer.
CONSEQUENCES = """
you_are_bidding is_binding are_binding legally_bound you_commit committing_to verpflichte* verpflichten
verbindlich vous_engagez vous_vous_engagez m_engage engageant te_comprometes se_compromete vinculante
compromete_se você_se_compromete מתחייב מתחייבת מחייבת
"""
# An answer that also only takes note: it agrees where something else could have been answered.
TAKES_NOTE = """
ok okay continue proceed next done understood weiter fortfahren verstanden fertig continuer poursuivre suivant
compris continuar siguiente entendido proseguir seguir aceptar prosseguir avançar próximo entendi המשך להמשיך
הבא הבנתי אישור
"""

# Money that is moved, taken in or handed back.
SUMS = """
money funds cash salary salaries wage wages payroll payout payouts payment payments pledge pledges refund
refunds deposit deposits commission commissions dividend dividends fee fees
geld gelder gehalt gehälter lohn löhne lohnlauf *zahlung *zahlungen kaution provision provisionen beiträge
überweisung überweisungen lastschrift lastschriften einzug *einzug
argent fonds salaire salaires paie paies paye paiement paiements virement virements remboursement
remboursements prélèvement prélèvements caution règlement cotisation cotisations
dinero fondos salario salarios sueldo sueldos nómina nóminas pago pagos transferencia transferencias
reembolso reembolsos fianza cobro cobros comisiones
dinheiro fundos salário salários folha folha_de_pagamento ordenado ordenados pagamento pagamentos
transferências reembolsos caução cobrança comissões
כסף כספים משכורת משכורות שכר תשלום תשלומים העברות החזרים פיקדון עמלות
"""
MOVES_SUMS = """
run launch move transfer release return give_back hand_back pay_out disburse distribute collect capture
receive take start trigger settle remit wire issue process
start[en] auslös[en] freigeb[en] zurückgeb[en] zurückzahl[en] ausschütt[en] anstoß[en] kassier[en]
einzieh[en] einnehm[en] überweis[en] transferier[en] verteil[en] eintreib[en]
lanc[er] vers[er] transfér[er] restitu[er] rend[er] rendre distribu[er] encaiss[er] recevoir percevoir
déclench[er] exécut[er] débloqu[er] émettre prélev[er]
lanz[ar] ejecut[ar] transferir devolver distribuir cobr[ar] recibir recaud[ar] liber[ar] ingres[ar] emitir
rod[ar] dispar[ar] executar devolva repass[ar] receber recolher arrecad[ar] liberar distribuir
העבר העברת להעביר הפעל הרץ שחרר שחרור החזר החזרת גבה גביית לגבות חלק לקבל קבלת בצע
"""
# A key that is made anew: what used the old one stops.
KEYS = """
key keys secret secrets credential credentials token tokens certificate certificates
*schlüssel geheimnis zertifikat *zertifikat clé clés jeton jetons secret secrets certificat
clave claves secreto secretos certificado chave chaves segredo segredos token tokens
מפתח מפתחות סוד אסימון תעודה
"""
ROLLS = """
rotate roll cycle regenerate renew replace recreate
rotier[en] erneuer[n] austausch[en] neu_erzeug[en] rollier[en]
renouvel[er] renouveler régénér[er] tourner remplac[er]
rot[ar] renov[ar] regener[ar] reemplaz[ar] rotacion[ar] substitu* regenerar
החלף החלפת סובב חידוש רענן
"""
# What all can see or use from now on.
SEEN_BY_ALL = """
public live online visible_to_everyone visible_to_all öffentlich sichtbar live online publique public visible
en_ligne en_direct público pública en_línea en_vivo visible público pública no_ar ao_vivo visível
ציבורי ציבורית פומבי פומבית לאוויר באוויר גלוי
"""
MAKES = """
make put push take bring
mach[en] schalt[en] stell[en] nehm[en] rendre rends mettre mets passer hacer haz poner pon publicar
tornar torne colocar coloque pôr deixar הפוך להפוך העלה העלאת להעלות הפיכת שים
"""
# Of goods it is only said where they are.
GOODS = """
stock inventory goods quantity bestand *bestand lager *lager ware waren menge artikel stocks marchandise
existencias inventario mercancía estoque inventário mercadoria מלאי סחורה
"""
