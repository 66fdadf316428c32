"""Further commands of what is hard to undo, by what many kinds of products offer: shops, banks, mail,
code hosts, consoles, clinics, offices, schools. They command wherever they stand in a name.
"""

PHRASES = {
    "delete": """
    restaurar_padrões איפוס_להגדרות_יצרן archiver_définitivement
    wipe_device erase_device clear_inbox empty_inbox empty_junk empty_folder_now take_listing_down
    pull_listing delete_all clear_all_messages clear_conversation clear_chat wipe_all entleer[en]
    bereinig[en] spamordner_leeren posteingang_leeren chat_leeren papierkorb_endgültig_leeren
    vider_la_boîte vider_la_poubelle vider_les_indésirables vider_le_spam vider_l_historique vaciar_spam
    vaciar_bandeja vaciar_la_carpeta vaciar_correo_no_deseado vaciar_historial limpar_lixeira
    esvaziar_spam esvaziar_caixa deitar_fora limpar_histórico הורד_מודעה הורדת_מודעה הסרת_מודעה ריקון_אשפה
    ריקון_סל_האשפה נקה_היסטוריה ניקוי_היסטוריה
    """,
    "cancel": """
    end_my_subscription end_subscription end_membership end_my_membership end_my_plan stop_renewal
    stop_my_subscription turn_off_auto_renew turn_off_auto_renewal don_t_renew drop_course drop_class
    drop_out withdraw_from withdraw_bid withdraw_claim withdraw_consent give_up_my release_my_seat
    cancel_anyway cancel_my cancel_now stop_auto_renewal abo_beenden abo_nicht_verlängern
    mitgliedschaft_beenden verlängerung_stoppen nicht_verlängern bestellung_abbrechen auftrag_abbrechen
    buchung_aufheben termin_streichen vertrag_beenden austritt_erklären widerruf_erklären
    widerruf_absenden einwilligung_zurücknehmen zurücknehm[en] abwähl[en] me_désinscrire se_désinscrire
    se_désister me_désister ne_pas_renouveler rétract[er] me_rétracter se_rétracter stopp[er]
    arrêter_mon_abonnement arrêter_l_abonnement mettre_fin_à mettre_fin_au interrompre_l_abonnement
    libérer_ma_place dar_baja causar_baja tramitar_baja solicitar_baja solicitar_la_baja tramitar_la_baja
    desuscrib* darse_baja darme_baja desapunt[ar] desapuntarme desinscribirme desinscribirse desistir
    no_renovar retract[ar] finalizar_suscripción finalizar_contrato terminar_contrato rehus[ar]
    desinscrever desinscrever_me desinscrever_se desista encerrar_contrato encerrar_assinatura
    interromper_assinatura não_renovar dar_baixa desfazer_assinatura anular_matrícula desativar_renovação
    בטלו תבטל תבטלו הפסקת_מנוי סיום_מנוי סיום_התקשרות הסר_אותי להסיר_אותי הסירו_אותי משיכת_מועמדות
    משוך_מועמדות ויתור לוותר הפסקת_חידוש עצירת_מנוי התנתקות_מהשירות לעזוב_את_המסלול ניתוק_הקו ביטולה
    """,
    "pay": """
    rückerstattung_auslösen auftrag_erteilen
    ingresar_efectivo swap_tokens parcelar_compra cash_out cash_in add_credit add_credits buy_credits
    load_card pay_with pay_off tip_driver leave_a_tip split_bill set_up_autopay turn_on_autopay
    enable_autopay set_up_direct_debit deposit_check redeem redeem_now redeem_points exchange_currency
    convert_currency confirm_and_pay slide_to_pay settle_up donate_now give_monthly give_once chip_in
    support_us back_this schedule_payment settle_invoice tithe auflad[en] aufstock[en] einlös[en]
    eintausch[en] unterstütz[en] lastschrift_einziehen ausgleich[en] nachzahl[en] überzahl[en] anzahl[en]
    zuwend[en] spendier[en] abheb[en] régl[er] recharger_mon recharger_ma recharger_le_compte
    recharger_le_forfait épargn[er] échang[er] débit[er] approvisionn[er] soutenir je_soutiens
    donner_chaque_mois rembourser acquitt[er] m_acquitter abon[ar] recargar_móvil recargar_tarjeta
    recargar_ahora canje[ar] sufrag[ar] coste[ar] colabor[ar] apadrin[ar] traspas[ar] domicili[ar]
    amortiz[ar] sald[ar] liquid[ar] hacer_un_ingreso resgat[ar] resgate_agora aplicar_dinheiro fazer_pix
    enviar_pix carregar_saldo carregar_telemóvel carregar_cartão contribuir contribua apoi[ar]
    quitar_dívida quitar_boleto quitar_fatura saque antecipar_parcela fazer_depósito fazer_um_pix
    levantar_dinheiro תרמו ביצוע_תשלום בצע_תשלום סליקה חיוב_הכרטיס חייב_כרטיס טעינת_ארנק טעינת_כרטיס
    טען_ארנק הטענת_כרטיס הטענה פדיון לפדות פדה מימוש_שובר ממש_שובר לממש פירעון פרע הפקדה הפקדת השקעת משיכה
    משיכת משוך הוראת_תשלום תשלום_החשבון תשלום_עכשיו
    """,
    "buy": """
    rent_in rent_this rent_it rent_for rent_movie rent_hd rentar leasen mitbieten jetzt_bieten hire_a
    buy_it_now complete_purchase complete_order get_tickets_now raise_bid increase_bid make_offer
    submit_bid make_an_offer claim_offer purchase_label buy_label request_pickup schedule_pickup
    confirm_purchase confirm_order submit_order order_again one_click_buy place_an_order send_order
    leih[en] ausleih[en] pacht[en] mitbiet[en] überbiet[en] höher_bieten gebot_erhöhen ticket_lösen
    fahrschein_lösen fahrkarte_lösen abholung_beauftragen bestellung_absenden kauf_bestätigen
    beauftrag[en] lou[er] surenchérir surenchérissez placer_une_enchère offrir acheter_maintenant
    recommander_à_nouveau finaliser_mon_achat prendre_ce_billet passer_à_l_achat alquil[ar] puj[ar]
    ofert[ar] subir_la_puja hacer_una_oferta apuest[ar] comprar_ya finalizar_compra finalizar_pedido
    completar_compra hacer_el_pedido cómprelo licit[ar] dar_um_lance aumentar_lance fazer_uma_oferta
    alug[ar] arrend[ar] leve_agora finalizar_encomenda comprar_novamente קניה לקניה לקנייה לרכוש_עכשיו
    ביצוע_הזמנה ביצוע_רכישה בצע_רכישה סיום_הזמנה סיום_רכישה השלמת_רכישה השלמת_הזמנה השכרה השכרת הגש_הצעה
    הגשת_הצעה הגדל_הצעה הצע_מחיר שליחת_הזמנה הזמנת_מונית
    """,
    "book": """
    prendre_ce_rendez_vous prendre_le_rendez_vous confirmer_mon_inscription confirmer_l_inscription
    book_it book_appointment book_a_table secure_my_spot reserve_my_spot reserve_seat save_my_seat
    confirm_my_booking confirm_appointment claim_my_spot umbuch[en] hinzubuch[en] dazubuch[en] zubuch[en]
    platz_sichern termin_sichern verbindlich_anmelden tisch_reservieren einbuch[en] retenir_ce_créneau
    confirmer_le_rdv confirmer_mon_rendez_vous réserver_ma_place bloquer_ce_créneau confirmer_ma_place
    apartar_lugar asegurar_plaza reservar_plaza confirmar_cita confirmar_turno sacar_turno reprogram[ar]
    garantir_vaga garantir_meu_lugar garantir_lugar confirmar_agendamento confirmar_consulta reagend[ar]
    remarc[ar] קביעת_התור קביעת_פגישה קבעו זימון_תור זמן_תור שריון שריין_מקום תיאום_פגישה תאם_פגישה
    הזמנת_תור הזמן_שולחן הזמנת_שולחן אישור_התור דחיית_תור שינוי_תור שמירת_מקום
    """,
    "subscribe": """
    upgrade_plan upgrade_to upgrade_my_plan upgrade_account downgrade downgrade_to switch_plan change_plan
    switch_to_annual go_premium go_pro get_premium start_plan start_trial_now try_it_free become_a_member
    join_premium renew_my extend_plan extend_subscription extend_rental extend_contract upgraden
    upgrade_kaufen tarif_wechseln tarif_ändern premium_werden auf_premium_umsteigen probeabo_starten
    testphase_starten paket_wechseln vertrag_verlängern dauerauftrag_einrichten dauerauftrag_anlegen
    passer_à_premium passer_au_premium passer_en_premium passer_à_l_offre changer_de_forfait
    changer_d_offre démarrer_l_essai commencer_l_essai prolong[er] mettre_à_niveau reconduire mejorar_plan
    cambiar_de_plan cambiar_plan pasar_a_premium hacerme_socio hacerme_premium hazte_premium
    empezar_prueba iniciar_prueba activar_prueba prorrog[ar] hacerme_miembro afili[ar] afiliarme
    subscrever subscreva aderir adira mudar_de_plano fazer_upgrade trocar_de_plano começar_teste
    iniciar_teste tornar_me_sócio associar_me שדרוג שדרג שדרגי שדרגו לשדרג הצטרפות_למנוי הצטרפות_למסלול
    הצטרפו_עכשיו לחדש הארכה הארך הארכת להאריך שינוי_מסלול החלפת_מסלול מעבר_לפרימיום מעבר_מסלול
    """,
    "transfer": """
    move_money transfer_funds transfer_now wire_funds send_wire transfer_domain umbuchung_ausführen
    geld_umbuchen umschicht[en] geld_überweisen sofort_überweisen faire_le_virement virer_maintenant
    virer_la_somme transférer_les_fonds hacer_transferencia hacer_un_traspaso hacer_bizum traspasar_dinero
    fazer_transferência fazer_ted transferir_dinheiro העברת_כסף העברה_בנקאית ביצוע_העברה אישור_העברה
    העבר_סכום העברת_סכום העברה_מיידית
    """,
    "hand_in": """
    justificar_falta justificar_ausencia justificar_ausência justifier_une_absence justifier_l_absence
    entschuldigung_einreichen
    file_appeal file_an_appeal matricularme matricular_se inscrever_se_agora apuntarme exmatrikulier[en]
    candidatar enviar_mi_candidatura e_file efile file_return file_my_return file_taxes file_my_taxes
    file_claim file_a_claim file_complaint file_petition submit_all submit_answers submit_quiz submit_exam
    submit_claim finish_and_submit submit_for_review submit_for_approval submit_application apply_now
    easy_apply quick_apply submit_timesheet certify_and_submit nachreich[en] vorleg[en] einspruch_einlegen
    widerspruch_einlegen beschwerde_einlegen antrag_stellen klausur_abgeben schaden_einreichen
    zur_prüfung_einreichen einkommensteuererklärung_abgeben hinterleg[en] télédéclar[er] télétransmettre
    déclarer_mes_revenus je_postule postul[er] candidater déposer_plainte déposer_le_dossier
    déposer_mon_dossier déposer_ma_demande rendre_ma_copie rendre_la_copie rendre_le_devoir soumettre_ma
    soumettre_mon soumettre_la soumettre_le introduire_un_recours saisir_le_tribunal interponer recurrir
    inscribirme_en_esta_oferta inscribirme_en_la_oferta postularme postularse postul[ar] entregar_examen
    enviar_y_terminar enviar_todo_y_terminar enviar_solicitud formular_queja solicitar_ayuda
    solicitar_beca registrar_solicitud solicitar_préstamo presentar_reclamación candidatar_me
    candidatar_se dar_entrada interpor recorrer protocolar apresentar_recurso transmitir transmita
    submeter submeta apresentar_queixa registrar_reclamação entregar_prova requerer entregar_declaração
    solicitar_empréstimo הגשת_מועמדות הגש_מועמדות הגשת_תביעה הגשת_ערעור הגשת_עבודה שליחת_טופס מסירת_עבודה
    שידור_דוח הגשת_דוח להגיש_בקשה
    """,
    "send": """
    zustell[en] signifi[er] המצאה המצאת המצא להמציא
    reportar reportar_publicación send_now schedule_send send_later send_reminder post_message report_post
    report_user report_comment report_listing request_access request_refund
    request_quote request_callback request_money submit_ticket submit_review leave_a_review ask_the_seller
    rsvp nominate campaign_now place_call respond_to add_comment add_reply beitrag_melden nutzer_melden
    kommentar_melden anzeige_melden profil_melden anfrag[en]
    rückruf_anfordern angebot_anfordern mahn[en] teilnahme_bestätigen weiterreich[en] einberuf[en]
    rundmail alarmier[en] krankmeld[en] krank_melden weiterempfehl[en] einwerf[en] störung_melden
    bewertung_abgeben verständig[en] später_senden senden_planen anzeig[en]_erstatten signaler_ce
    signaler_cette signaler_l signaler_le signaler_la signaler_un_abus sollicit[er] demander_un_devis
    faire_parvenir relancer avertir avertissez prévenez convoqu[er] programmer_l_envoi
    confirmer_ma_présence laisser_un_avis mettre_en_demeure alerter faxer denunci[ar] contest[ar]
    reclam[ar] emplazar remitir remita transmitir confirmar_asistencia programar_envío opin[ar]
    dejar_comentario dejar_una_reseña solicitar_presupuesto citar_a avísale avisar_a agendar_envio
    programar_envio confirmar_presença deixar_comentário deixar_avaliação pedir_orçamento reencaminh[ar]
    reportar_abuso enviar_agora remeta disparar dispar[ar] דיווח דווח דווחי דווחו לדווח
    דיוור אישור_הגעה אשר_הגעה תזמון_שליחה תזמן_שליחה זימון_משתתפים זמן_משתתפים שליחה_מתוזמנת התקשר חייג
    הפצת בקשת_גישה בקש_גישה שליחת_תזכורת הזכר להזכיר פנה_למוכר פנו_אלינו הוספת_תגובה הוסף_תגובה
    כתיבת_ביקורת פרסום_ביקורת
    """,
    "publish": """
    lancer_la_campagne lanzar_campaña lançar_campanha השק_קמפיין השקת_קמפיין kampagne_starten
    crosspost cross_post go_public push_live put_online list_item list_for_sale list_property
    schedule_post publish_now syndicate start_streaming start_broadcast inserier[en] inserat_einstellen
    anzeige_einstellen artikel_einstellen angebot_einstellen ausschreib[en] live_stellen live_nehmen
    live_gehen bloggen freischalt[en] aushäng[en] online_schalten mettre_en_vente mettre_en_ligne
    déposer_l_annonce déposer_mon_annonce passer_en_ligne rendre_visible programmer_la_publication
    poner_a_la_venta poner_en_venta programar_publicación subir_y_publicar public[ar] sacar_a_la_luz
    colocar_à_venda pôr_à_venda anunciar_imóvel agendar_publicação publicar_agora tornar_visível
    העלאה_לאוויר העלאת_פוסט העלה_פוסט פרסמו פרסום_מודעה פרסום_הפוסט תזמון_פוסט שחרור_לאוויר
    """,
    "approve": """
    descartar_candidato descartar_candidata descartar_candidatura écarter_la_candidature
    confirm_delivery confirm_receipt vote_for close_pull_request note_vergeben noten_vergeben
    rechnung_stellen emitir_nota emitir_factura émettre_l_avoir הפקת_חשבונית הפק_חשבונית restaurar_versão
    voter_pour votar emitir_voto dar_alta_al_paciente sign_order sign_note sign_encounter e_prescribe
    shortlist_and_notify extend_offer make_decision greenlight award_contract publish_grades submit_grades
    release_grades mark_as_final close_case uphold dismiss_claim settle_claim accept_claim deny_claim
    fulfill fulfil cast_vote cast_my_vote cast_ballot vote_now abnehm[en] abzeichn[en] gegenzeichn[en]
    befürwort[en] stattgeb[en] abweis[en] verordn[en] ausstell[en] krankschreib[en] versetz[en]
    beförder[n] abmahn[en] verbuch[en] abstimm[en] benot[en] einstellen_lassen anerkenn[en] aberkenn[en]
    bewillig[en] durchwink[en] festschreib[en] avalis[er] entérin[er] tranch[er] adjug[er] débout[er]
    écart[er] prescrire prescrivez prescri[er] embauch[er] recrut[er] contresign[er] paraph[er] émarg[er]
    donner_mon_accord donner_son_accord statu[er] agré[er] délivr[er] habilit[er] approuver_et rejeter_la
    visto_bueno dar_el_visto_bueno dar_visto_bueno desestim[ar] conform[ar] prescrib* recet[ar]
    calific[ar] adjudic[ar] desaprob[ar] desaprueb[ar] reprob[ar] repruebe contratar_candidato
    dictamin[ar] descalific[ar] rechac[ar] avalar aval[ar] expedir expida liber[ar] reprov[ar]
    desaprov[ar] prescrever prescreva receit[ar] avaliz[ar] outorg[ar] dar_parecer lançar_notas defira
    indefira sancion[ar] chancel[ar] אשרו דחו תאשר לאשר_בקשה דחיית_בקשה שחרור שחרר שחררי לשחרר הנפקת הנפקה
    מרשם_חדש רשום_מרשם הצבע להצביע הצבעה קבל_מועמד קידום_מועמד פסילה פסול לפסול אישור_הבקשה אישור_חופשה
    זכה_אותו הסמך
    """,
    "sign": """
    adopt_and_sign click_to_sign sign_here sign_document sign_and sign_now e_signature
    elektronisch_unterschreiben elektronisch_signieren unterfertig[en] mitzeichn[en] signer_le signer_la
    signer_électroniquement apposer_ma_signature firma_aquí firmar_y assinar_eletronicamente
    assinar_digitalmente assine_aqui חתמו חתימה_דיגיטלית חתימה_ושליחה
    """,
    "deploy": """
    ship_order redémarrer_le_serveur redémarrer_l_instance roll_out ship_now cut_release trigger_deploy
    trigger_deployment promote_to push_to_prod activate_release start_rollout publish_release
    draft_and_release run_in_production merge_and_deploy apply_changes_to_production swap_slots
    go_live_now reboot restart_server restart_instance reboot_instance in_produktion_nehmen
    in_produktion_überführen auf_produktion_ausrollen produktiv_schalten produktivschalt[en] einspiel[en]
    in_betrieb_nehmen neustarten server_neustarten mettre_en_production passer_en_production
    livrer_en_production basculer_en_production poner_en_producción pasar_a_producción
    promover_a_producción subir_a_producción lanzar_a_producción reiniciar_servidor reiniciar_instancia
    colocar_em_produção subir_para_produção publicar_em_produção promover_para_produção
    enviar_para_produção העלאה_לייצור העלה_לייצור העלאה_לפרודקשן פריסה_לייצור אתחל אתחול הפעלה_מחדש
    """,
    "merge": """
    squash_and rebase_and merge_pull_request merge_anyway confirm_merge zusammenfüg[en] fusion[ar]
    unific[ar] incorporar_cambios incorporar_alterações unir_ramas מיזוג_הבקשה
    """,
    "grant": """
    régénér[er] regenerate rotate_credentials
    als_admin_festlegen als_administrator_festlegen als_eigentümer_festlegen als_moderator_festlegen
    als_inhaber_festlegen make_an_admin make_co_host make_host make_editor make_manager give_admin
    give_editor give_full give_permission give_permissions set_as_admin set_as_owner add_as_admin set_role
    set_as_moderator add_as_owner roll_key roll_api_key roll_token roll_secret cycle_key trust_device
    trust_this_device reset_mfa reset_2fa turn_off_2fa disable_2fa turn_off_two disable_two take_ownership
    hand_over become_owner add_collaborator save_permissions make_it_public reset_sessions ernenn[en]
    zum_moderator_machen zum_eigentümer_machen zum_inhaber_machen als_admin_hinzufügen zum_admin
    adminrechte_erteilen adminrechte_geben rechte_geben rechte_vergeben hochstuf[en] herabstuf[en]
    heraufstuf[en] degradier[en] bevollmächtig[en] ermächtig[en] übereign[en] donner_les_droits
    donner_des_droits donner_un_accès donner_l_accès rendre_administrateur rendre_admin
    définir_comme_administrateur définir_comme_propriétaire passer_administrateur délégu[er] rétrograd[er]
    déverrouill[er] verrouill[er] céder_la_propriété mandater ajouter_comme_administrateur hacer_admin
    convertir_en_administrador convertir_en_admin convertir_en_propietario dar_permisos dar_permiso
    dar_derechos design[ar] ceder_propiedad ceder_la_propiedad ascender degrad[ar] habilitar_acceso
    quitar_permisos deleg[ar] establecer_como_administrador marcar_como_administrador desbloquear_usuario
    hacer_propietario tornar_admin tornar_proprietário tornar_moderador definir_como_administrador
    definir_como_proprietário dar_permissão dar_permissões dar_acesso promover_a rebaix[ar]
    torná_lo_administrador passar_a_administrador destitu[ir] liberar_acesso הפיכה_למנהל הפיכת הפוך_לבעלים
    הפוך_למנהלת הפוך_לעורך מינוי מינוי_למנהל למנות הענקה מתן_הרשאות שדרוג_למנהל נעילת נעילה לנעול
    שחרור_נעילה קדם_למנהל הגדר_כמנהל הגדרה_כמנהל הסמכה ייפוי_כוח
    """,
    "leave": """
    sign_out_everywhere sign_out_of_all log_out_everywhere exit_account überall_abmelden von_allen_geräten
    konto_verlassen fermer_toutes_les_sessions quitter_la_session finalizar_sesión salir_de_la_cuenta
    salir_de_todos terminar_todas_as_sessões terminar_a_sessão encerrar_a_sessão sair_de_todos sair_da_conta
    terminar_a_sessão encerrar_a_sessão התנתקו ניתוק_מכל יציאה_מכל
    """,
    "block": """
    report_and_block lock_thread lock_topic lock_conversation lock_my_card freeze_card freeze_my_card
    quarantine silence_user shadow_ban put_on_hold place_hold put_a_hold verbann[en]
    ausgrenz[en] thema_schließen karte_sperren vet[ar] vetar_a inhabilit[ar] banir_usuário
    silenciar_usuário inabilit[ar] bloquear_tarjeta חסימת_כרטיס הקפאת_כרטיס השתק_משתמש
    """,
}  # fmt: skip
