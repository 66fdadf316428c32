"""Verbs of what is hard to undo, in the other languages. `PLAIN` command wherever they stand."""

PLAIN = {
    "hand_in": """
    einreich[en] abgeb[en] remettre rendre_le rendre_la rendre_mon rendre_ma entregar entregue present[ar] הגש
    הגישו הגשה הגשת להגיש
    """,
    "delete": """
    lösch[en] lösche endgültig_entfern[en] vernicht[en] zerstör[en] wegwerfen tilg[en] deinstallier[en]
    ausradier[en]
    in_den_papierkorb in_papierkorb papierkorb_leeren papierkorb_entleeren spam_leeren ordner_leeren
    verlauf_leeren
    supprim[er] effac[er] détruire détruisez élimin[er] purg[er] désinstall[er] vider_la_corbeille jeter
    mettre_à_la_corbeille déplacer_vers_la_corbeille envoyer_à_la_corbeille vider_le_dossier vider_les_spams
    elimin[ar] borr[ar] suprimir suprima destruir destruya destruye desinstal[ar] purg[ar]
    vaciar_la_papelera
    vaciar_papelera vaciar_carpeta mover_a_la_papelera mover_a_papelera enviar_a_la_papelera
    enviar_a_papelera
    tirar_a_la_papelera
    excluir exclua exclui excluí_lo apag[ar] delet[ar] destrua esvaziar_lixeira esvaziar_a_lixeira
    esvaziar_lixo
    esvaziar_pasta mover_para_a_lixeira mover_para_lixeira mover_para_o_lixo enviar_para_a_lixeira
    enviar_para_o_lixo mover_para_reciclagem expurgar
    מחק מחקי מחקו למחוק תמחק תמחקו מחיקה מחיקת השמד השמידו להשמיד השמדה השמדת הרוס להרוס רוקן לרוקן ריקון
    העבר_לאשפה העבר_לסל_המיחזור העבר_לפח העברה_לאשפה זרוק_לפח הסר_התקנה הסרת_התקנה
    mettre_à_la_poubelle jeter_à_la_poubelle
    beseitig[en] entsorg[en] auflös[en] ausmuster[n] dissoudre disolver dissolver desech[ar] bot[ar]
    tir[ar]_a_la_basura format[er] formate[ar] format[ar] extinguir liquidar חסל לחסל פרק פזר
    """,
    "remove": """
    entfern[en] ausschließen hinauswerfen rauswerfen
    retir[er] enlev[er] exclure excluez expuls[er] ôter
    quitar quita quítalo quítala remuev[ar] expuls[ar] retirar_a
    remover remova remove_lo tirar_da tirar_do
    הסר הסירי הסירו להסיר הסרה הסרת הוצא_מ
    desvincul[ar] rauswerf[en] trennen נתק לנתק ניתוק
    match_auflösen match_aufheben entmatchen annuler_le_match défaire_le_match deshacer_match
    deshacer_el_match desfazer_match desfazer_o_match בטל_התאמה ביטול_התאמה
    radi[er] évinc[er] détach[er] éject[er] ausbuch[en] סלק לסלק גרש
    dissoci[er] desasign[ar] ech[ar] dispens[ar]
    """,
    "discard": """
    verwerf[en] sair_da_página salir_de_la_página quitter_la_page seite_verlassen nicht_speichern
    ohne_speichern ohne_zu_speichern
    ne_pas_enregistrer abandonner_les_modifications ignorer_les_modifications quitter_sans_enregistrer
    sans_enregistrer abandonner_le_brouillon
    descart[ar] no_guardar sin_guardar não_salvar sem_salvar não_guardar
    השלך להשליך אל_תשמור ללא_שמירה בלי_לשמור צא_ללא_שמירה
    """,
    "revoke": """
    widerruf[en] entzieh[en] für_ungültig_erklären ungültig_machen
    révoqu[er] invalid[er] revoc[ar] invalid[ar] revog[ar] invalid[ar]
    שלול לשלול שלילת פסול פסילת
    """,
    "cancel": """
    stornier[en] absag[en] abbestell[en] kündig[en] sag_ab vom_vertrag_zurücktreten kündigung_absenden
    résili[er] décommand[er] désabonn[er] me_désabonner se_désabonner désinscri*
    rescindir rescinda dar_de_baja darse_de_baja darme_de_baja dame_de_baja date_de_baja
    cancelar_suscripción
    desmarc[ar] descadastr[ar] cancelar_inscrição dar_baixa_na_assinatura
    הסר_מרשימת_התפוצה הסר_מנוי הפסק_מנוי ביטול_מנוי
    zurückzieh[en] austreten rompre_le_contrat
    zurücktreten renonc[er] abandonner renunciar verzicht[en] renunci[ar]
    aufheb[en] austrag[en] abrog[er] trancar_matrícula
    """,
    "deactivate": "השבת_חשבון השבתת_חשבון",
    "stop": """
    herunterfahren ausschalten beende_instanz arrêter_le_serveur éteindre apagar_servidor apagar_equipo
    desligar כבה כיבוי
    einstellen_dienst stilllegen stilleg[en] cess[er] cess[ar] faire_cesser
    """,
    "reset": """
    auf_werkseinstellungen werkseinstellungen_wiederherstellen alles_zurücksetzen
    réinitialiser_aux_paramètres_d_usine rétablir_les_paramètres_d_usine tout_réinitialiser
    paramètres_d_usine
    restablecer_de_fábrica restablecer_todo restaurar_de_fábrica valores_de_fábrica
    restaurar_padrão_de_fábrica redefinir_tudo restaurar_configurações_de_fábrica
    אפס_להגדרות_יצרן איפוס_להגדרות_היצרן איפוס_מלא אפס_הכל
    """,
    "overwrite": """
    überschreib[en] écras[er] sobrescribir sobrescriba sobrescrev* דרוס לדרוס שכתב
    """,
    "block": """
    sperr[en] blockier[en] entsperr[en] suspendier[en] einfrier[en]
    bloqu[er] débloqu[er] bannir bannissez suspendre suspendez geler
    bloque[ar] desbloque[ar] suspender suspenda congel[ar] bane[ar] expulsar_y_bloquear
    banir suspend[ar]
    חסום חסמי לחסום חסימה חסימת הקפא הקפאת להקפיא השעה השעיה השעיית להשעות
    החרם להחרים ביטול_חסימה ביטול_חסימת בטל_חסימה בטל_חסימת הסר_חסימה
    faire_opposition mettre_en_opposition opposition_carte
    aussetz[en]
    """,
    "pay": """
    bezahl[en] zahl[en] spend[en] erstatt[en] rückerstatt[en] auszahl[en] einzahl[en] geld_abheben
    guthaben_aufladen
    geld_senden begleich[en]
    pay[er] paie paye régler_maintenant régler_ma_commande réglez faire_un_don donner_maintenant
    rembours[er] créditer je_paie
    pag[ar] donar dona reembols[ar] haz_un_donativo hacer_una_donación recargar_saldo retirar_dinero
    retirar_fondos
    abonar_ahora enviar_dinero pagar_con
    doar fazer_uma_doação estornar sacar recarreg[ar] enviar_dinheiro
    שלם שלמי שלמו לשלם לתשלום תרום תרמי לתרום זכה_לקוח זיכוי החזר_כספי משוך_כסף משיכת_כספים טען_כרטיס
    investier[en] investir investissez invert[ar] invertir vers[er] prélev[er] ingresar_dinero
    deposit[ar] sacar_dinheiro הפקד להפקיד השקע להשקיע
    anweis[en] überweise begleich[en] cotis[er] aliment[er] financ[er] prêter emprunter apost[ar]
    adquirir aport[ar] gir[ar]_dinero financi[ar] emprestar cobr[ar] לווה
    je_donne envoyer_de_l_argent שליחת_כסף שלח_כסף einzieh[en] abbuch[en] encaiss[er] factur[er]
    factur[ar] fatur[ar] חייב_לקוח חיוב_לקוח
    """,
    "buy": """
    kauf[en] bestell[en] jetzt_kaufen ersteiger[n] verkauf[en] kostenpflichtig zahlungspflichtig
    gebot_abgeben
    kasse_abschließen zur_kasse_und_zahlen
    achet[er] acheter commandez commander passer_commande passer_la_commande passer_ma_commande vendre
    enchérir je_commande j_achète
    comprar compre cómpralo comprarlo vender pujar hacer_pedido haz_tu_pedido hacer_el_pedido
    tramitar_pedido
    comprar_já encomend[ar] encomendar fazer_pedido dar_lance fechar_pedido fechar_compra
    קנה קני קנו לקנות לרכוש רכוש רכשו לרכישה הזמן הזמיני הזמינו להזמין מכור למכור בצע_הזמנה
    arremat[ar] zuschlag_erteilen den_zuschlag_erteilen adjug[er] adjudic[ar] remat[ar]
    erwerb[en] vorbestell[en] nachbestell[en] miet[en] order[n] wett[en] précommand[er] louez parier
    miser adquirir encarg[ar] pedir_ahora pedir_agora ordenar_ahora ordene_ahora peça_agora peça_já
    arrendar alugue השכר שכור
    להשכיר לשכור מזמין
    רכישת קניית הזמנת מכירת
    """,
    "book": """
    buch[en] reservier[en] termin_vereinbaren
    réserv[er] prendre_rendez_vous prendre_rdv louer
    reservar reserve alquilar agendar_cita agendar pedir_cita solicitar_cita
    agendar agende alugar marcar_consulta marcar_horário reservar_agora
    קבע קבעי לקבוע קביעת_תור הזמן_תור הזמן_מקום הזמן_חדר הזמנת_מקום שריין לשריין שמור_מקום
    """,
    "transfer": """
    überweis[en] transferier[en]
    virer_de_l_argent faire_un_virement
    transferir transfiera transfiere transfira
    העבר_כסף העבר_כספים העבר_תשלום בצע_העברה העברת_כספים
    """,
    "subscribe": """
    abonnier[en] abo_abschließen abo_verlängern abonn[er] s_abonner m_abonner souscri* suscrib*
    assinar_agora
    assinar_plano renovar_assinatura renovar_suscripción renouveler_l_abonnement
    הצטרף_למנוי חדש_מנוי חידוש_מנוי רכישת_מנוי
    contrat[ar] vertrag_abschließen jetzt_abschließen mitglied_werden probemonat_starten
    beitret[en] adhér[er] renov[ar] erneuern_abo verlänger[n] renouvel[er] חדש_עכשיו
    """,
    "send": """
    send[en] absend[en] abschick[en] verschick[en] versend[en] schick[en] zusend[en] übermittel[n]
    benachrichtig[en]
    envoy[er] expédi[er] transmettre transmettez notifi[er] renvoy[er] j_envoie
    envi[ar] envía mand[ar] notific[ar] reenvi[ar] envíame
    envi[ar] encaminhar_agora
    שלח שלחי שלחו לשלוח שליחה שליחת לשליחה שגר שיגור הודע_ל
    mitteil[en] informier[en] ankündig[en] zustell[en] anruf[en] alert[er] avert[ir] relanc[er] adresser
    prévenir inform[er] avis[ar] comunic[ar] inform[ar] remitir remeter protocol[ar] convoc[ar] הפץ הפצה
    להפיץ יידע ליידע שדר הודיע להודיע
    """,
    "publish": """
    veröffentlich[en] posten poste twittern publizier[en] live_schalten freischalten online_stellen
    publi[er] mettre_en_ligne diffus[er] tweeter publier_maintenant dépublier
    public[ar] poste[ar] tuite[ar] difundir poner_en_línea despublicar
    post[ar] postar tuitar divulg[ar] colocar_no_ar despublicar
    פרסם פרסמי פרסמו לפרסם צייץ העלה_לאוויר הסר_פרסום
    anzeige_aufgeben anzeige_schalten lanç[ar]
    bekanntgeb[en] bekannt_geben annonc[er] anunci[ar] הכרז להכריז
    """,
    "approve": """
    genehmig[en] bewillig[en] freigeb[en] freigabe_erteilen
    approuv[er] rejet[er] aprobar apruebe rechaz[ar] deneg[ar] aprov[ar] rejeit[ar]
    zustimm[en] zulass[en] ratifizier[en] quittier[en] homologu[er] ratifi[er] certifi[er] attest[er]
    avalis[er] homolog[ar] certific[ar] admitir deferir indeferir autoriz[ar] autoris[er] autorisier[en]
    conced[er] הנפק להנפיק מנה
    promouvoir promover nommer nombrar nomear
    """,
    "sign": """
    unterschreib[en] unterzeichn[en] signier[en] signer signez firmar firme rubricar assinar assine חתום
    חתמי לחתום חתימה_על
    חתימה חתימת
    """,
    "merge": """
    zusammenführ[en] mergen fusionn[er] fusion[ar] mescl[ar] mergear מזג מזגי למזג מיזוג
    """,
    "deploy": """
    bereitstell[en] deployen ausroll[en] deploy[er] déploy[er] deployer despleg[ar] desplieg[ar]
    implant[ar] implement[ar]
    fazer_deploy hacer_deploy פרוס פרסו לפרוס פריסה פריסת
    """,
    "discharge": "",
    "fire": """
    entlass[en] licenci[er] despedir despida dar_de_baja_al_empleado demitir demita desligar_funcionário
    פטר לפטר פיטורי סיום_העסקה
    """,
    "grant": """
    berechtig[en] zugriff_gewähren zugriff_erlauben rechte_erteilen zum_admin_machen
    zum_administrator_machen
    öffentlich_machen privat_machen
    donner_accès donner_l_accès accorder_l_accès autoriser_l_accès nommer_administrateur rendre_public
    rendre_privé
    conceder_acceso otorgar dar_acceso permitir_acceso hacer_administrador hacer_público hacer_pública
    hacer_privado
    conceder_acesso dar_acesso permitir_acesso tornar_administrador tornar_público tornar_pública
    tornar_privado
    הענק הענקת תן_גישה מתן_גישה מתן_הרשאה תן_הרשאה אפשר_גישה הפוך_למנהל הפוך_לציבורי הפוך_לפרטי
    """,
    "leave": """
    abmeld[en] auslogg[en] melde_mich_ab sitzung_beenden
    déconnect[er] déconnexion me_déconnecter se_déconnecter fermer_la_session fermer_ma_session
    cerrar_sesión cerrar_la_sesión cierra_sesión cerrar_todas_las_sesiones desconectarse desconectarme salir
    sair encerrar_sessão terminar_sessão finalizar_sessão fazer_logout deslog[ar] encerrar_todas_as_sessões
    התנתק התנתקי התנתקות להתנתק יציאה_מהמערכת יציאה_מהחשבון יציאה_מן_המערכת צא_מהמערכת ניתוק_מהמערכת יציאה
    """,
}  # fmt: skip

# Things as well as deeds: they command only where they stand alone or with a word like "now".
EITHER = {
    "delete": """
    löschung papierkorb suppression corbeille eliminación borrado papelera exclusão eliminação lixeira
    אשפה
    """,
    "cancel": "stornierung kündigung absage résiliation désabonnement cancelación baja cancelamento",
    "pay": "zahlung bezahlung paiement règlement don pago pagamento תשלום תרומה",
    "buy": "achat compra rechnung_bezahlen pedido commande קנייה רכישה",
    "book": "reserva marcação",
    "order": "הזמנה",
    "post": "poster פרסום",
    "transfer": "virement transferencia transferência",
    "share": "teilen partag[er] compartir comparte comparta compartilh[ar] partilh[ar] שתף שתפי לשתף שיתוף",
    "reply": """
    antworten antworte kommentieren kommentar répondre répondez commenter responder responde comentar
    responda השב השיבי להשיב הגב להגיב לענות ענה תגובה תשובה
    """,
    "forward": "weiterleiten transférer faire_suivre reenviar encaminhar העבר העברה",
    "invite": """
    einladen lade_ein invit[er] invit[ar] convid[ar] convide הזמן_משתמש הזמן_חברים הזמנת_משתמש
    הזמנת_משתמשים הזמנת_חברים להזמין_אנשים להזמין_חברים הזמן_אנשים הזמן_צוות
    """,
    "sign": "firma firmá assinatura חתימה",
    "approve": "genehmigung aprobación aprovação אשר אשרי לאשר אישור",
    "refuse": """
    ablehn[en] zurückweis[en] refus[er] declin[ar] déclin[er] neg[ar] recus[ar] דחה דחי לדחות דחייה דחיה
    דחיית סרב לסרב סירוב
    """,
    "accept": "annehm[en] akzeptier[en] zusag[en] accept[er] acept[ar] aceit[ar] קבל קבלי לקבל קבלת",
    "release": "",
    "deactivate": "deaktivier[en] désactiv[er] desactiv[ar] desativ[ar] inativar השבת השבתה",
}
