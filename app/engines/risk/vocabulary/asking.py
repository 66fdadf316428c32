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
# What then happens, told of the thing it happens to.
WILL_BE = {
    "delete": """
    be_deleted be_permanently_deleted be_erased be_removed be_wiped be_destroyed be_lost get_deleted
    lose_all lose_access
    gelöscht_werden gelöscht entfernt_werden verloren_gehen vernichtet
    supprimé supprimée supprimés supprimées effacé effacées perdues perdus détruit
    eliminará eliminarán eliminado eliminada eliminados borrará borrarán perderá perderás perderán
    excluído excluída excluídos excluídas apagado apagados removido perderá perdidos
    יימחק תימחק יימחקו ימחק יאבד יאבדו
    """,
    "pay": """
    be_charged will_pay be_billed be_debited belastet abgebucht berechnet débité débitée prélevé facturé
    cobrará cobrado
    cargará cobrada debitado תחויב יחויב
    """,
    "send": """
    be_sent be_notified be_emailed versendet gesendet_werden envoyé notifié enviará notificará enviado
    יישלח יישלחו
    """,
    "cancel": """
    be_cancelled be_canceled be_terminated storniert gekündigt annulé résilié cancelará cancelado יבוטל
    תבוטל
    """,
    "publish": "be_published be_public veröffentlicht_werden publié publicará publicado יפורסם",
    "grant": """
    access_your access_to_your wants_to_access would_like_to_access zugreifen zugriff_auf
    accéder_à_votre accéder_à_vos
    acceder_a_tu acceder_a_su acceder_a_tus acessar_sua acessar_seus לגשת_אל גישה_לחשבון
    """,
    "leave": "be_logged_out be_signed_out abgemeldet déconnecté desconectado ינותק",
}
IRREVERSIBLE = """
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
