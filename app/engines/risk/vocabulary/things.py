"""What deeds are done to: it makes a "Confirm", a "Cancel" or a "Change" hard to undo, or harmless."""

# "Confirm payment", "Zahlung ausführen", "Realizar pedido": what carries out a thing of these.
OF_DEED = {
    "delete": """
    deletion removal erasure *löschung *entfernung borrar suppression eliminación borrado exclusão eliminação
    מחיקה מחיקת הסרה הסרת
    """,
    "cancel": """
    cancellation termination *stornierung *kündigung absage annulation résiliation cancelación anulación baja
    cancelamento desmarcação encerramento rescisão rescisión beendigung ביטול ביטולו
    """,
    "pay": """
    payment payments donation refund withdrawal deposit payout payroll pay_run bill bills
    *zahlung *zahlungen *spende erstattung *auszahlung *einzahlung gehaltslauf gehaltsabrechnung rechnung
    zahlungsauftrag
    paiement règlement don remboursement retrait versement paie
    pago pagos donación donativo reembolso retiro depósito nómina
    pagamento pagamentos doação estorno saque folha_de_pagamento תשלום תשלומים תרומה זיכוי החזר משיכה שכר
    """,
    "buy": """
    purchase order orders checkout bid trade sale *kauf *bestellung *auftrag gebot verkauf
    achat commande commandes enchère vente compra pedido orden puja venta encomenda lance venda
    הזמנה הזמנות רכישה קנייה הצעת_מחיר מכירה
    """,
    "book": """
    booking reservation appointment visit ticket tickets *buchung *reservierung *termin termins
    réservation rendez_vous rdv reserva cita visita turno consulta agendamento marcação visita תור
    הזמנת_מקום
    """,
    "transfer": """
    transfer transfers transaction überweisung transaktion dauerauftrag virement transfert transaction
    transferencia transferência transacción transação pix העברה העברת עסקה
    """,
    "subscribe": """
    subscription membership renewal upgrade abo abonnement mitgliedschaft verlängerung souscription
    suscripción renovación assinatura renovação מנוי חידוש
    """,
    "send": "sending submission invitations versand einreichung envoi envío envio submissão שליחה הגשה",
    "publish": "publication posting veröffentlichung publicación publicação פרסום",
    "deploy": """
    deployment release rollout bereitstellung déploiement despliegue implantação פריסה
    payroll pipeline migration
    """,
    "sign": "signature unterschrift unterzeichnung firma assinatura חתימה",
    "leave": "logout sign_out abmeldung déconnexion cierre_de_sesión logout יציאה התנתקות",
    "merge": "merge zusammenführung fusion fusión mesclagem mesclar מיזוג",
    "accept": "offer offers angebot offre oferta הצעה",
    "release": """
    invoice invoices contract contracts funds rechnung vertrag facture contrat factura contrato fatura
    nota_fiscal
    חשבונית חוזה
    """,
    "grant": "transfer_of_ownership ownership_transfer",
}

# What is handed to somebody: "Submit application".
HANDED_IN = """
application applications claim claims review reviews report timesheet timesheets expense expenses assignment
exam test request requests ticket proposal return homework vote feedback complaint bid offer order
answers answer
quiz tax_return paper manuscript survey quote registration resume cv ballot comment prescription referral
bewerbung *antrag *bericht *abrechnung aufgabe hausaufgabe bericht bewertung reklamation steuererklärung
abgabe anfrage angebot stimme prüfung
candidature demande rapport note_de_frais frais avis réclamation déclaration devoir offre dossier vote
solicitud informe gasto gastos trabajo actividad reseña reclamación declaración tarea oferta voto examen
candidatura
pedido requerimento solicitação despesa despesas trabalho atividade relatório avaliação reclamação
declaração tarefa proposta inscrição
בקשה מועמדות דוח תביעה ביקורת תלונה מטלה הצעה עבודה טופס
"""

# Who may do what: "Change password", "Enable two-factor", "Generate token".
ACCESS = """
password passwords passcode pin passphrase credentials credential 2fa two_factor two_step 2_step
step_verification mfa authenticator passkey
api_key api_keys access_key access_keys secret secrets secret_key token tokens access_token ssh_key
deploy_key
gpg_key webhook_secret recovery_codes backup_codes role roles permission permissions privilege
privileges admin
administrator administrators admin_rights access_rights access owner ownership collaborator authorized_user
authorised_user
delegate sso
security_question trusted_device app_password certificate service_account oauth firewall_rule guardian
passwort kennwort *passwort *kennwort *berechtigung *rolle *schlüssel *token zugangsdaten zwei_faktor*
zugriff zugriffe adminrechte admin_rechte zugriffsrechte inhaber eigentum eigentümerschaft rolle rollen
berechtigung berechtigungen rechte
zugangstoken zugriffstoken schlüssel api_schlüssel ssh_schlüssel besitzer eigentümer geheimnis
mot_de_passe mots_de_passe identifiants double_authentification authentification clé_api clé_ssh
clé_d_accès jeton jetons rôle
rôles droits d_accès accès permission administrateur propriétaire propriété propriété_du
contraseña contraseñas clave claves credenciales dos_pasos doble_factor verificación_en_dos_pasos rol
permiso permisos
administrador propietario propiedad acceso clave_api
senha senhas credenciais dois_fatores duas_etapas papel função permissão permissões proprietário
propriedade chave chaves chave_api chave_de_api acesso
סיסמה סיסמת סיסמא סיסמאות הרשאה הרשאות הרשאת תפקיד תפקידים גישה גישת מפתח_api מפתח אסימון קוד_סודי
קוד_גישה קוד_אבטחה אימות_דו_שלבי
בעלות מנהל
"""

# Of these it is told that someone has more power: a choice, a switch.
POWER = """
admin admins administrator administrators owner co_owner superuser super_user root full_access full_control
can_edit can_delete can_manage can_publish editor maintainer moderator staff_status superuser_status
is_staff
is_superuser is_admin write_access read_and_write write public_access anyone_with_the_link public
anyone_on_the_internet impersonate permission permissions allow_deletes grant_access access_to
administrator administratorin eigentümer besitzer vollzugriff bearbeiter schreibzugriff darf_löschen
darf_bearbeiten
administrateur administratrice propriétaire accès_complet éditeur peut_modifier accès_en_écriture
accès_administrateur
administrador administradora propietario propietaria acceso_total puede_editar acceso_de_escritura
proprietário acesso_total pode_editar acesso_de_administrador
מנהל מנהלת מנהל_מערכת בעלים עורך הרשאת_מנהל גישה_מלאה הרשאת_עריכה יכול_לערוך
"""
ROLES_HELD = """
role roles permission permissions access privileges rights can_access visibility general_access
access_level user_type
rolle rollen berechtigung berechtigungen zugriff rechte sichtbarkeit
rôle rôles droits permission accès visibilité rol roles permiso permisos acceso visibilidad
papel função permissão permissões acesso visibilidade תפקיד תפקידים הרשאה הרשאות גישה
"""

# What is lost when it is shut: "Close account"; "Terminate", "Stop", "End".
SHUT = """
account accounts my_account this_account workspace organization organisation position positions period
books fiscal_year till register cash_register cash_drawer drawer day business_day shift_day
*kasse kassentag *tag caisse journée caja día caixa dia קופה הקופה יום
fiscal_month store shop poll auction
*konto kontos compte mon_compte cuenta mi_cuenta conta minha_conta חשבון חשבוני
"""
ENDED = """
subscription membership trial contract lease employment instance instances server servers service
services machine vm
vms virtual_machine container containers cluster clusters campaign node nodes process auction plan
agreement database
session sessions job jobs query task build pipeline supply
*vertrag *kampagne campagne campaña campanha קמפיין belieferung fourniture suministro fornecimento אספקה
instanz instanzen mitgliedschaft abo vertrag dienst arbeitsverhältnis sitzung sitzungen
l_instance instance serveur abonnement contrat
suscripción contrato instancia servidor servicio empleado assinatura instância serviço מנוי חוזה שרת
מופע שירות העסקה
"""
WIPED = """
all_data data database everything device phone settings_to_default configuration my_data history
cache_and_data
password_history daten alle_daten gerät datenbank données toutes_les_données appareil datos todos_los_datos
dispositivo dados todos_os_dados aparelho נתונים כל_הנתונים מכשיר היסטוריה
"""
# Not of the stored, but of the look of it or of what is being written.
SPARED = """
filter filters filtered filtering search searches searching query queries selection
selected_items_from_view sort sorting
column columns highlight highlighting zoom view layout formatting format chip suggestion suggestions
comparison compare
keyword keywords facet facets result results recent_searches line_break style styles notification
notifications badge
bookmark bookmarks favorite favorites favourite favourites wishlist wish_list likes like reaction star pin
text_field input field entry_text form edit editing edits changes upload uploads download typing
row_selection
playlist queue watchlist from_list watch_list cookie_banner word_wrap link_preview cart basket bag
*filter *suche *auswahl suchbegriff auswahl sortierung filterung spalte markierung hervorhebung
formatierung vergleich
favoriten
merkliste wunschliste lesezeichen bearbeitung bearbeiten eingabe eingaben suchen filtern hochladen
warenkorb merkzettel
filtre filtres recherche recherches sélection tri colonne surlignage comparaison favoris
sauvegarde_locale saisie
modification modifications panier liste_d_envies
filtro filtros búsqueda busqueda búsquedas selección orden_de columna resaltado comparación favoritos
edición carrito
lista_de_deseos campos campo formulario
pesquisa busca buscas seleção ordenação coluna destaque comparação edição carrinho formulário
lista_de_desejos
סינון מסנן מסננים חיפוש חיפושים התראות התראה שינויים בחירה מיון עמודה הדגשה השוואה מועדפים עריכה
סל_קניות שדה טופס העלאה
"""
# A word sent to oneself.
CODES = """
code otp verification_code security_code reset_link magic_link confirmation_email code_again sms_code
bestätigungscode code_erneut code_de_vérification código código_de_verificación código_de_verificação
קוד קוד_אימות
"""
# Where what is removed was only being gathered.
GATHERED = """
cart basket bag trolley shopping_bag shopping_cart wishlist wish_list favorites favourites compare
comparison
saved_items saved_for_later order_summary your_items watchlist playlist queue
warenkorb einkaufswagen einkaufskorb merkzettel merkliste wunschliste favoriten vergleich
panier caddie favoris liste_d_envies carrito cesta carro lista_de_deseos favoritos carrinho sacola
סל מהסל בסל הסל עגלה עגלת סל_הקניות מועדפים רשימת_משאלות
"""
SIEVES = """
filter filters search filters_applied active_filters refine facets filtern suche suchen filtres filtre
recherche filtros
búsqueda buscar pesquisa busca pesquisar סינון מסננים חיפוש
"""
BINS = """
trash bin recycle_bin trash_can trashcan garbage wastebasket rubbish dustbin delete papierkorb mülleimer
corbeille poubelle
papelera basura lixeira lixo אשפה פח סל_מיחזור סל_המיחזור
"""

# A switch by its state: what it shows to all.
SHOWN_TO_ALL = """
published publish public live online visible_to_everyone visible_online go_live veröffentlicht
öffentlich publié publiée
publique en_ligne publicado publicada público pública visible_para_todos no_ar פורסם ציבורי גלוי_לכל פומבי
"""

# What is halted without harm.
PLAYED = """
video music playback audio animation timer loading listening preview recording typing watching following
sharing reading
slideshow camera impersonating speaking tour autoplay notifications countdown wiedergabe aufnahme
lecture enregistrement
reproducción grabación reprodução gravação השמעה הקלטה
"""

PEOPLE = """
user users employee member members account accounts protection firewall backup security mitarbeiter benutzer
nutzer
konto mitglied utilisateur compte employé membre usuario cuenta empleado miembro conta usuário funcionário
membro
חשבון משתמש עובד חבר
"""
GROUPS = """
group team organization organisation workspace server channel chat conversation project gruppe groupe équipe
grupo
equipo equipe קבוצה
"""

# What is written over what is there when it is brought back.
KEPT_BEFORE = """
backup backups snapshot snapshots sicherung sicherungen sauvegarde sauvegardes copia_de_seguridad
copias_de_seguridad
instantánea cópia_de_segurança גיבוי
"""
