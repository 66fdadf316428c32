"""How dialogs and forms ask and warn, and how they are answered."""

AFFIRMS = """
yes y yep ok okay sure confirm continue proceed go_ahead i_m_sure im_sure agree i_agree accept i_accept
understand
i_understand submit apply do_it yes_i_am_sure go run perform execute finish save done_with_it allow
ja bestätigen fortfahren weiter einverstanden akzeptieren annehmen übernehmen anwenden ausführen
absenden zustimmen
ich_bin_sicher verstanden_und_weiter speichern erlauben
oui confirmer continuer valider d_accord accepter appliquer poursuivre j_accepte je_confirme soumettre
enregistrer autoriser
sí si confirmar continuar aceptar de_acuerdo acepto aplicar proseguir enviar seguir_adelante guardar
permitir
sim prosseguir aceitar concordo aplicar tenho_certeza submeter salvar
כן אישור אשר המשך להמשיך מסכים מסכימה אני_בטוח החל הבא_ואשר שמור אפשר
"""
# Agreeing that is no last step where nothing is asked.
GOES_ON = """
continue proceed next save weiter fortfahren speichern continuer poursuivre suivant enregistrer
continuar proseguir
siguiente guardar prosseguir próximo salvar המשך הבא שמור
"""
# "No", and what keeps things as they are.
DECLINES = """
no nope never_mind nevermind keep stay go_back don_t dont do_not not not_now cancel_and_return without
later back no_thanks keep_editing continue_editing
weiter_bearbeiten weiterbearbeiten continuer_la_modification continuer_à_modifier seguir_editando
continuar_editando
המשך_עריכה המשך_לערוך
nein nicht behalten bleiben kein keine zurück nicht_jetzt abbrechen
non ne garder conserver rester pas_maintenant retour
no_gracias mantener conservar ahora_no volver
não nao manter agora_não não_obrigado voltar
לא אל השאר חזרה ללא לא_עכשיו
"""
# A dialog's sentence asks or warns by one of these.
ASKS_OR_WARNS = """
sure want about_to will confirm would_you do_you really certain wish going_to cannot can_t
please_confirm permanently wants would
eliminará eliminarán borrará borrarán perderá perderás perderán cobrará cargará enviará notificará publicará
תימחק ימחק יאבד יאבדו תחויב יחויב יישלח יישלחו יבוטל תבוטל יפורסם ינותק
sicher möchten möchtest wollen willst wird werden soll sollen wirklich bestätigen bestätige
sûr sûre sûrs certain certaine voulez souhaitez veux sera seront va allez confirmer point_de confirmez
vraiment
seguro segura deseas desea quieres quiere será serán va vas confirma confirme punto_de
certeza deseja quer será serão vai confirme prestes tem
האם בטוח בטוחה ברצונך תרצה תרצי לאשר עומד עומדת יימחק יימחקו
"""
# A sentence of a dialog that says what the answer does, in the third person or the future.
CONSEQUENCES = """
this_will this_action this_operation you_will you_ll you_are_about he_will they_will will_no_longer
no_longer won_t will_not must may_not effective_immediately as_soon_as once_you if_you all_of_your proceed
dadurch damit hierdurch danach anschließend sobald wenn_sie wenn_du künftig nicht_mehr ab_sofort geht gehen
dürfen kannst können
vont ira iront doit doivent ne_pourrez ne_sera ne_seront ne_pourra plus_être cette_action cette_opération
attention dès_que si_vous entraîne entraînera désormais
van vas_a esta_acción esta_operación ya_no no_podrá no_podrás dejarás dejará si_continúas si_continúa
al_continuar
atención una_vez pulse se_cargarán se_cobrarán cargarán cobrarán ends_today serão_cobrados
vão esta_ação esta_operação já_não não_poderá não_será deixará se_continuar ao_continuar atenção uma_vez
esse_processo essa_ação irá irão
פעולה_זו הפעולה לא_תוכל לא_תוכלו לא_יהיה שים_לב שימו_לב לאחר האם אם_תמשיך לבצע למחוק לבטל
"""
# What then happens, told of the thing it happens to.
WILL_BE = {
    "delete": """
    be_gone be_discarded be_purged be_unrecoverable will_lose lose_your lose_everything lose_any be_cleared
    be_emptied
    permanently_delete permanently_remove permanently_erase deletes_all removes_all erases_all
    be_overwritten wipes
    gehen_verloren geht_verloren verloren verlieren verlierst entfernt gelöscht_wird gelöscht_sein
    überschrieben
    löscht entfernt_wird vernichtet_werden verlorengehen aufgelöst
    seront_supprimés sera_supprimé seront_effacés perdrez perdrez_l_accès seront_perdues sera_perdu effacés
    effacées
    retiré retirés retirée écrasé écrasées supprime efface disparaîtra disparaîtront perdre
    eliminados eliminadas borrado borrados borrada borradas perder perderás_todas se_perderán se_perderá
    se_eliminará se_eliminarán se_borrará se_borrarán desaparecerá desaparecerán elimina_todos
    sobrescribirán suprimirá
    serão_perdidos será_perdido apagará apagada apagadas removida removidos removidas perderão eliminado
    eliminados
    eliminada eliminadas será_excluído serão_excluídos excluirá eliminará desaparecerá perdida perdidas apaga
    תימחקנה נמחק יוסר יוסרו תוסר ייעלם תאבד תאבדו יאבדו_לצמיתות מחיקתו יושמד אובדן יתרוקן
    be_deleted be_permanently_deleted be_erased be_removed be_wiped be_destroyed be_lost get_deleted
    lose_all lose_access
    gelöscht_werden gelöscht entfernt_werden verloren_gehen vernichtet
    supprimé supprimée supprimés supprimées effacé effacées perdues perdus détruit
    eliminará eliminarán eliminado eliminada eliminados borrará borrarán perderá perderás perderán
    excluído excluída excluídos excluídas apagado apagados removido perderá perdidos
    יימחק תימחק יימחקו ימחק יאבד יאבדו
    """,
    "pay": """
    you_are_bidding bids_are_binding bid_is_binding engagez_à_acheter engagez_à_payer gebot_ist_verbindlich
    verpflichten_sich_zum_kauf comprometes_a_comprar compromete_a_comprar comprometes_a_pagar
    compromete_a_pagar
    se_cargarán cargarán cobrarán serão_cobrados serão_cobradas you_ll_pay will_be_paid wird_fällig
    be_charged_to will_be_charged we_ll_charge we_will_charge charge_your debit_your be_deducted is_charged
    bill_your be_paid be_transferred be_withdrawn be_refunded non_refundable
    abgebucht_werden berechnet_werden eingezogen belasten überwiesen bezahlt_werden kostenpflichtig
    fällig_werden
    sera_débité sera_prélevé serez_facturé sera_facturé débités prélevés versé payé virement
    se_cobrará se_cargará cobraremos cargaremos se_te_cobrará abonará transferirá pagará se_realizará_el_pago
    será_cobrado será_debitado cobraremos debitada debitados pagará transferirá será_transferido investido
    resgatar
    נחייב יחויב_כרטיס יועבר יועברו תשולם ישולם ייגבה ייגבו חויב
    be_charged will_pay be_billed be_debited belastet abgebucht berechnet débité débitée prélevé facturé
    cobrará cobrado
    cargará cobrada debitado תחויב יחויב
    """,
    "send": """
    be_shared_with be_emailed_to be_messaged be_informed will_notify will_receive receive_an_email
    be_submitted
    benachrichtigt informiert_werden verschickt gesendet übermittelt eingereicht abgeschickt
    sera_envoyé seront_envoyés seront_prévenus recevront recevra transmis transmise
    se_enviará se_enviarán recibirán recibirá se_notificará enviada enviados entregado
    será_enviado serão_enviados receberão receberá enviada enviados notificados submetido
    תישלח ישלח יקבלו יקבל הודעה_תישלח יוגש תוגש
    be_sent be_notified be_emailed versendet gesendet_werden envoyé notifié enviará notificará enviado
    יישלח יישלחו
    """,
    "cancel": """
    ends_today ends_now stops_today ends_immediately endet_sofort prend_fin termina_hoy termina_hoje
    be_ended be_stopped be_revoked be_deactivated be_closed will_end will_be_ended
    storniert_werden gekündigt_werden beendet_werden endet beendet abgesagt widerrufen gesperrt deaktiviert
    annulée annulés résiliée clôturé clôturée prendra_fin désactivé révoqué
    se_cancelará se_anulará cancelada anulada anulado cancelados dado_de_baja finalizará desactivado revocado
    será_cancelado será_cancelada cancelada cancelados encerrada encerrado revogado desativado rescindido
    תבוטלנה יבוטלו תופסק יופסק יינתק תינתק ייסגר תיסגר יושבת תושבת
    be_cancelled be_canceled be_terminated storniert gekündigt annulé résilié cancelará cancelado יבוטל
    תבוטל
    """,
    "publish": """
    be_published be_public veröffentlicht_werden publié publicará publicado יפורסם
    visible_to_everyone visible_to_all visible_to_the_public go_live be_live be_visible für_alle_sichtbar
    online_gehen sichtbar_sein visible_par_tous sera_visible seront_visibles en_ligne visible_para_todos
    será_visible será_visível visível_para_todos será_público גלוי_לכולם גלויה_לכולם יהיה_גלוי
    """,
    "grant": """
    have_access have_full_access gain_access get_access be_able_to_edit become_owner become_admin
    become_an_administrator zugriff_erhalten zugriff_bekommen aura_accès auront_accès obtiendra_acceso
    tendrá_acceso
    terá_acesso terão_acesso יקבל_גישה תינתן_גישה יהפוך_למנהל
    access_your access_to_your wants_to_access would_like_to_access zugreifen zugriff_auf
    accéder_à_votre accéder_à_vos
    acceder_a_tu acceder_a_su acceder_a_tus acessar_sua acessar_seus לגשת_אל גישה_לחשבון
    """,
    "leave": "be_logged_out be_signed_out abgemeldet déconnecté desconectado ינותק",
}
IRREVERSIBLE = """
won_t_be_able_to_undo won_t_be_able_to_change won_t_be_able_to_recover won_t_be_able_to_restore
won_t_be_able_to_edit no_longer_be_able_to will_not_be_able_to can_no_longer cannot_be_changed
can_t_be_changed
can_t_change_it can_t_change_your cannot_be_edited can_t_be_edited can_t_be_retrieved be_lost_forever
gone_for_good
gone_forever lost_permanently is_permanent_and cannot_be_reopened only_one_attempt cannot_be_reactivated
can_t_be_reactivated cannot_be_cancelled can_t_be_cancelled be_able_to_get_it_back non_refundable no_refunds
nicht_mehr_möglich nicht_mehr_bearbeiten nicht_mehr_bearbeitet nicht_wieder nicht_mehr_zurück für_immer
kann_nicht_geändert nicht_mehr_abrufbar nicht_mehr_verfügbar nicht_erstattbar keine_rückerstattung
lassen_sich_nicht nicht_mehr_wiederherstell* unwiederbringlich verloren_gehen gehen_verloren
endgültig_gelöscht
endgültig_entfernt endgültig_verloren dauerhaft_entfernt nicht_rückgängig_gemacht
ne_pourrez_plus ne_pourra_plus ne_pourrez_pas n_est_pas_réversible pas_réversible est_définitive
sera_définitive sera_définitif définitivement_supprimé définitivement_supprimée définitivement_supprimés
définitivement_perdu définitivement_perdues sans_retour impossible_de_revenir plus_être_modifié
plus_modifiable
pas_être_annulé pas_être_annulés ne_peut_pas_être_annulée plus_être_modifiée plus_possible non_remboursable
plus_être_récupéré plus_être_récupérées perte_définitive perte_irréversible
ya_no_podrás ya_no_podrá no_podrás_volver no_podrá_volver no_podrás_cambiar no_podrá_modificar
no_podrás_modificar
no_podrás_editar no_es_reversible no_tiene_vuelta_atrás no_hay_vuelta_atrás es_permanente para_siempre
se_perderán se_perderá no_reembolsable no_se_podrá no_se_podrán no_se_pueden_deshacer no_puede_revertirse
no_será_posible acción_definitiva de_forma_permanente de_forma_definitiva no_podrás_recuperarlo
no_se_puede_anular
não_poderá_mais não_pode_mais já_não_poderá não_será_mais_possível não_será_possível não_poderá_voltar
não_poderá_alterar não_há_como não_tem_volta serão_perdidos serão_perdidas não_é_reversível não_reembolsável
não_poderão_ser_recuperad* não_podem_ser_recuperad* permanentemente_apagad* permanentemente_excluíd*
para_sempre ação_permanente ação_definitiva não_pode_desfazer não_pode_ser_revertido não_pode_ser_anulada
não_poderá_editar de_forma_permanente
לא_תוכל_עוד לא_תוכלו לא_תוכלי לא_ניתן_להחזיר לא_ניתן_לשחזור לא_ניתן_לביטול לא_ניתנת_לביטול לא_ניתנת_לשחזור
אינה_ניתנת לא_ניתן_לשנות לא_ניתן_יהיה לא_יהיה_ניתן לא_הפיך לא_הפיכה יאבדו_לצמיתות יימחקו_לצמיתות יימחק_לצמיתות
תימחק_לצמיתות לעולם_לא אין_אפשרות_לבטל אין_אפשרות_לשחזר ללא_אפשרות_שחזור לא_יינתן_החזר אין_החזר
cannot_be_undone can_t_be_undone can_not_be_undone cant_be_undone not_be_undone not_be_reversed
cannot_be_reversed
can_t_be_reversed can_t_undo cannot_undo irreversible irreversibly irrevocable irrevocably irretrievably
no_way_back there_is_no_undo no_undo not_reversible be_permanent is_permanent is_final not_recoverable
unrecoverable
cannot_be_recovered can_t_be_recovered not_be_recovered cannot_recover can_t_recover not_be_able_to_recover
unable_to_recover not_be_able_to_undo cannot_be_restored can_t_be_restored not_be_able_to_restore
cannot_be_changed_later
can_t_be_changed_later cannot_be_changed_afterwards cannot_change_this_later can_t_go_back no_going_back
permanently_delete permanently_deleted permanently_remove permanently_removed permanently_erase
permanently_lose
unwiderruflich nicht_rückgängig nicht_mehr_rückgängig irreversibel unumkehrbar nicht_widerrufen
nicht_wiederherstell*
nicht_wiederhergestellt nicht_mehr_wiederhergestellt nicht_umkehrbar endgültig_gelöscht dauerhaft_gelöscht
nicht_zurückgenommen nicht_mehr_ändern nicht_mehr_geändert ist_endgültig
irréversible irréversiblement irrévocable définitive_et est_définitive est_définitif pas_être_annulée
pas_être_annulé
pas_être_restauré* pas_être_récupéré* pas_revenir_en_arrière ne_peut_être_annulée ne_pourrez_plus_récupérer
ne_pourrez_pas_récupérer
irreversible irrevocable no_se_puede_deshacer no_se_podrá_deshacer no_puede_deshacerse no_podrá_deshacer
no_podrás_deshacer
no_se_puede_revertir no_podrás_recuperar no_podrá_recuperar no_se_pueden_recuperar no_se_podrán_recuperar
no_se_puede_recuperar es_definitiva
irreversível irrevogável não_pode_ser_desfeita não_pode_ser_desfeito não_poderá_ser_desfeita
não_poderá_ser_desfeito
não_pode_ser_revertida não_poderá_desfazer não_será_possível_desfazer não_é_possível_desfazer
não_será_possível_recuperar
não_poderá_recuperar não_poderá_ser_recuperad* é_definitiva é_permanente
לא_ניתן_לבטל לא_ניתן_לשחזר לא_ניתן_יהיה_לשחזר לא_ניתן_יהיה_לבטל לא_תוכל_לשחזר לא_תוכל_לבטל בלתי_הפיך
בלתי_הפיכה
אינה_הפיכה אי_אפשר_לבטל פעולה_סופית אין_דרך_חזרה
"""
# "Type DELETE to confirm".
TYPED = """
type enter write tippen eingeben geben tapez saisissez écrivez escribe escriba introduce introduzca
digite escreva הקלד
הקלידו הזן
"""
CONFIRMING = """
to_confirm for_confirmation to_continue to_proceed zur_bestätigung um_zu_bestätigen zum_bestätigen
bestätigen pour_confirmer
para_confirmar לאישור כדי_לאשר
"""

# A field that holds a word to somebody, and one that holds what is paid with.
WORD_TO_SOMEBODY = """
message messages your_message comment comments your_comment reply feedback review nachricht
ihre_nachricht kommentar
mitteilung votre_message commentaire avis mensaje comentario tu_mensaje mensagem comentário sua_mensagem
הודעה תגובה
"""
PAYS_WITH = """
card_number credit_card debit_card cvv cvc iban security_code_on_card name_on_card kartennummer
kreditkarte numéro_de_carte
carte_bancaire número_de_tarjeta tarjeta_de_crédito número_do_cartão cartão_de_crédito מספר_כרטיס
כרטיס_אשראי
"""
JOINS = """
sign_up register join create_account create_my_account create_your_account get_started registrieren
konto_erstellen
s_inscrire inscription créer_un_compte registrarse registrarme crear_cuenta cadastrar cadastre_se
criar_conta הרשמה הירשם
sign_in log_in login anmelden einloggen connexion se_connecter iniciar_sesión entrar התחבר כניסה
"""
ANOTHER = "new neues neue nouveau nouvelle nueva nuevo nova novo חדשה חדש"

# The same behind a verb that is also a thing: "Pay slip", "Purchase history", "Refund policy".
VERB_TAILS = """
history stub stubs slip slips period periods scale scales grade rate rates method methods options type
types details status
settings page pages policy policies number list report reports log logs conditions terms information
info protection
"""
