# ruff: noqa: RUF001  (single Hebrew letters look like Latin ones)
"""Words of commands that harm nothing, wherever they stand in a name: of a command that has none of these
and is understood in no other way it is not known what it does (`app.engines.risk.unknown`).
"""

KNOWN = """
eintrag* erfass* nachtrag* protokollier* inclu* insert* enter* record* anot* apunt* saisi* consign* רשום
תיעוד* תוכנית
advanced first second third general other others on off ask call main cheapest hidden inside outside below
above
popup wifi bad good
fine nothing role patient* customer* client* unfold seen covered
from under over only about bis unter dès desde hasta até menos_de moins_de עד view* show* see open* browse*
search* find look* filter* sort* export* import* download* print* copy* copied preview* read* manage*
explore* detail* compare* expand* collaps* toggle* select* choose* pick* hide* undo redo edit* draft* save*
new create* add* check* calculat* estimate* simulat* test* try continu* proceed keep shop* switch* display*
list* history recent* last latest next prev* back forward up down left right more less fewer all none
option* setting* config* customi* visit* load* refresh* reload* return* forgot* write* compos* scroll* zoom*
play* pause* listen* watch* skip* mute* unmute* volume rewind replay fullscreen full_screen shuffle repeat
speed subtitle* caption* episode* chapter* page* step* tab* month* week* day* year* today tomorrow yesterday
hour* agenda map* photo* image* picture* gallery video* chart* graph* report_a_problem help* faq* learn*
guide* tour* info* contact* feedback close* dismiss* cancel* ok* okay got_it yes no not never later maybe
skip start* begin* get_started upload* attach* file* folder* rename* move* duplicat* clone* archiv*
unarchive* pin* unpin* star* unstar* favo* bookmark* like* unlike* follow* unfollow* react* emoji* mark*
unmark* tag* label* flag* note* insert* paste cut bold italic underline link* unlink* format* font color
colour theme dark light language* currency translat* menu* sidebar panel* home dashboard* profile* account*
login* log_in sign_in* sign_up* quick* size* qty quantity increase* decrease* plus minus increment*
decrement* columns column row* table* grid layout group_by group* reset* update* chang* sync* scan* verif*
track* locat* direction* navigate* availab* seat* room* date* time* calendar* remind_me notification* alert*
bell inbox message_list cart basket bag wishlist* size_guide coupon* promo* voucher* code* discount*
offer_details deals product* item* review* rating* rate* question* answer_key discover* suggest* recommend*
popular trending top filter_by sort_by results result* avatar* photo bio* address* phone attachment* assign*
unassign* generate_report run_report report_builder breakdown summary overview statement* receipt*
invoice_list balance* analytic* insight* metric* log logs audit activity status console terminal debug
inspect* analy* diff* blame raw branch* commit_list fork unwatch* snooze* categor* priorit* drag resize
rotate crop* flip brush fit pan minimi* maximi* pick_up_where enroll_info lesson* course* quiz* flashcard*
hint* explain* solution* practice* study* highlight* dictionary captions transcript* sample* demo* trailer*
information directions draw* polygon* favourite* retry again ask_ai chat* call_us talk* support* wait* hold
connect* map_view street_view nearby route* stop* departure* arrival* one_way round_trip flexible adult*
child* infant* passenger* guest* night* depart* standard economy express pickup delivery
subscribe_to_calendar terms privacy policy cookie* licen* legal contrast text voice microphone mic camera
screen* present* slide* speaker* dial_pad keypad emoji gif sticker* scheduled* quote_of pdf csv excel xls
json xml abspiel* anzeig* ansehen anschau* zeig* suche* such* finde* sortier* exportier* importier*
herunterlad* druck* kopier* vorschau* les* verwalt* bearbeit* wähl* auswähl* auswahl* ausblend* einblend*
neu neue neuer neues neuen rückgängig entwurf* anleitung* mehr weniger weiter* zurück* vor nächst* vorig*
vorher* letzt* erst* seite* schritt* monat* woche* jahr* heute morgen gestern karte* kalender* ansicht*
liste* tabelle* raster spalte* zeile* bild* foto* galerie* diagramm* bericht* hilfe* details einzelheiten
kontakt* schließ* abbrech* ok fertig nein ja nicht später überspring* beginn* öffn* hochlad* anhäng* anhang
datei* ordner* umbenenn* verschieb* duplizier* anheft* lös* merk* favorit* gefällt* folg* markier* notiz*
einfüg* hinzufüg* anleg* erstell* speicher* ändern änder* aktualisier* neu_laden lad* verfolg* prüf*
berechn* rechn* simulier* vergleich* schreib* verfass* einstellung* anpass* konfigurier* sprache* währung*
thema menü profil* konto* anmeld* einlogg* registrier* größe* menge* anzahl erhöh* verringer* gruppier*
zurücksetz* anwend* übernehm* verfügbar* datum* uhrzeit* termine* gutschein* rabatt* warenkorb einkauf*
merkliste* bewertung* frage* antwort* übersicht* verlauf* status* vollbild* ton stumm* lautstärke wiederhol*
untertitel* folge* kapitel* lektion* kurs* aufgabe* lösung* üben übung* hinfahrt rückfahrt erwachsen* kind*
gast* nacht* zimmer* sitz* umsätze* kontoauszug* beleg* rechnungs* auszug* zuweis* scannen testen aufklapp*
zuklapp* ausklapp* einklapp* vergrößer* verkleiner* dreh* zuschneid* adresse* erkund* entdeck* stöber*
blätter* durchsuch* nachricht_schreiben voir affich* recherch* cherch* trouv* filtr* tri trier trie exporter
importer télécharg* imprim* copi* aperçu* lire lecture gérer gestion modifi* édit* chois* sélection* masqu*
nouve* brouillon* mode* histori* derni* consult* ouvr* suivre suivi* suivant* précéd* détail* moins
poursuiv* retour* passer_cette étape* mois semaine* jour* année* aujourd* demain hier carte* calendrier*
tableau* grille colonne* ligne* galerie vidéo* graphi* rapport* aide* ferm* annul* terminé non oui pas tard
ignor* commenc* démarr* débute* charg* joindre fichier* dossier* renomm* déplac* dupliqu* épingl* favori*
aim* marqu* insér* ajout* cré* enregistr* sauvegard* actualis* rafraîch* vérifi* calcul* simul* estim*
compar* écri* rédig* réglage* paramètre* personnalis* langue* devise* thème compte* connexion inscri*
taille* quantité* augment* diminu* regroup* réinitialis* appliqu* dispo* horaire* heure* créneau* réduction
panier* achats avis réponse* aperçu résumé* état* plein_écran son muet pause répét* sous_titre* épisode*
chapitre* leçon* cours exercice* itinéraire* trajet* aller_retour adulte* enfant* chambre* siège* relevé*
reçu* solde* attribu* agrandi* rédui* pivot* rogn* explor* découvr* parcour* naviguer* mettre_à_jour déplier
replier localis* document* pièce_jointe capture* accueil revenir reprendre ver mostrar muestra* buscar busc*
encontr* orden* descarg* vista* previ* leer lee* gestion* administr* modific* eleg* elij* selecc* ocult*
nuev* borrador* historial métod* últim* abrir abre* sigu* segu* deshacer rehacer detall* más menos volver
vuelve atrás anterior* próxim* primer* página* paso* mes mes* semana* día dias año* hoy mañana ayer mapa*
calendario* lista* tabla* cuadrícula columna* fila* imagen* galería vídeo* gráfic* informe* ayuda* cerrar*
cierra* cancelar* listo sí tarde omit* salt* comenz* empez* empiez* inici* subir* sube* carg* adjunt*
carpeta* renombr* mover* mueve* duplic* fij* gusta* marc* nota* añad* agreg* crear cre* guard* actualiz*
refresc* recarg* rastre* verific* comprob* escrib* redact* ajuste* configur* opcion* personaliz* idioma*
moneda* tema menú perfil* cuenta* acced* entrar* regist* talla* tamaño* cantidad* aument* disminu* reduc*
agrup* restablec* aplic* dispon* fecha* hora* horario* cupón* código* descuento* cesta carrito compras
reseña* pregunta* respuesta* resumen* estado* pantalla* sonido silenci* volumen pausa* repet* reproduc*
subtítul* episodio* capítulo* lección* curso* ejercicio* solución* ruta* ida vuelta adulto* niño*
habitación* asiento* movimientos extracto* recibo* saldo* asign* escane* prob* prueba* ampli* alejar acercar
gir* recort* direccion* descubr* naveg* desplegar_menú contra* colaps* localiz* documento* inicio regres*
limpi* borrar_filtr* exib* mostr* pesquis* procur* classific* baix* descarreg* transferir_ficheiro visualiz*
pré* leia ler gerenc* ger* alter* escolh* selecion* escond* nov* rascunho* históric* abra acompanh* desfaz*
refaz* detalh* mais volt* primeir* págin* passo* etapa* mês seman* dia ano* hoje amanhã ontem calend* tabel*
grelha coluna* linha* imag* galeria víde* gráf* relatóri* ajuda* contat* fech* feito não sim depois pul*
começ* inic* carreg* anex* arquiv* ficheiro* pasta* renome* mov* fix* curt* inser* adicion* cri* salv* grav*
atualiz* recarreg* escrev* redig* ajust* opç* moeda* menu conta* acess* entr* cadastr* tamanho* quantidade*
reduz* redefin* data* horári* cupom* cupão desconto* carrinho sacola avaliaç* pergunta* respost* resum*
tela* ecrã som reproduz* legenda* episódio* liç* aula* exercíci* soluç* rota* volta criança* quarto*
assento* extrato* atribu* digitaliz* experiment* girar endereço* recolh* voltar limp* simulaç* הצג* הצגת ראה
צפה צפייה לצפייה חפש* חיפוש* מצא* סנן סינון* מיין מיון* ייצא ייצוא* יצא ייבא ייבוא* הורד* להורדה הדפס* העתק*
תצוג* קרא קריאה עזרה עוד פחות ניהול* נהל ערוך ערכ* עריכה* לעריכה בחר* בחירה* הסתר* חדש* טיוט* היסטור* פתח*
פתיח* דפדף מעקב* עקוב פרטים פרטי המשך* הבא הבאה הקודם הקודמת קודם חזרה חזור לחזור אחורה קדימה לשלב שלב*
עמוד* דף דפים חודש* שבוע* השבוע יום היום מחר אתמול שנה מפה* במפה לוח* רשימה* טבלה עמודה* תמונ* גלרי* וידאו
סרטון* גרף דוח דוחות מידע צור_קשר סגור* סגירה* סגירת_חלון ביטול* בטל אישור כן לא מאוחר דלג* התחל* טען* העלה*
העלאה* העלאת* צרף* צירוף* קובץ קבצים תיקי* שנה_שם העבר_לתיקייה שכפל* שכפול* ארכיון נעץ מועדפ* אהבתי סמן*
סימון* הערה הוסף* הוספ* צור יצירה* יצירת* שמור* שמירה* עדכן* עדכון* רענן* רענון* בדוק* בדיק* חשב* חישוב*
סימולצי* השווה* השווא* כתוב* כתיבה* לכתוב הגדר* הגדרות אפשרוי* התאמה* שפה* מטבע תפריט* פרופיל* חשבון* התחבר*
כניסה* הירשם* הרשמה* מידה מידות כמות* הגדל* הקטן* הרחב* צמצם* קבץ נקה* ניקוי* איפוס* אפס* החל* זמינ* תאריך*
שעה שעות קופון* קוד* מבצע* סל לסל לעגלה עגלה קניות ביקורות שאל* תשוב* סיכום* סטטוס* מסך* השתק* עוצמה השהה*
נגן* השמע* כתוביות פרק* שיעור* קורס* תרגיל* פתרון* מסלול* הלוך מבוגר* ילד* חדר* מושב* תנוע* אחרונות אחרון
דף_חשבון קבלות יתר* הקצ* סרוק* נסה* סובב* חתוך* כתובת* גלה* גלי* נווט* מיקום* מסמכ* בית ראשי אימייל_חדש
הודעה_חדשה התקדם* board* timeline kanban backlog roadmap changelog close_by mini* unread people person team*
member_list activit* tool* task* project* comments messages news* job* deal* brand* store* price* pricing
rates color* colour* material* spec* ingredient* docs article* post_list archive* weather temperature unit*
metric imperial hour hours opening reading peek glance organi* arrange* reorder* adjust* crop filterable
facet* near within radius distance slower faster quality resolution caption lyric* queue play_next
add_to_playlist record* dictate spell* grammar count* word_count outline headings footnote indent align
bullet quote cite citation* reference* index toc contents appendix glossary keyboard shortcut*
command_palette split freeze_pane* wrap pivot formula* cell* chart_type legend axis series snapshot*
flag_for_later done_for_now check_in_online check_out_our scan_qr qr barcode fill autofill use_current
use_my locate me_on here where how why who what which when similar related alternatives like_this more_like
variants version* compare_versions diff side_by_side unified welcome start_over restart retake practise
revision progress grade_book gradebook syllabus transcript certificate* badge* leaderboard rank* score*
streak* übersetz* verstanden alles_klar versandart* fortsetz* fortfahr* beliebt* umkreis* exposé* zum zur
in_der_nähe hör* anhör* ignorier* neu_berechnen mitglieder aktivität* werkzeug* projekt* kommentare
nachrichten news angebote kategorie* marke* filiale* dienst* preis* farbe* artikel* einheit* öffnungszeit*
ordne* anordn* teilnehmer* abspann qualität auflösung aufnehm* aufnahme* diktier* rechtschreib* wörter
gliederung überschrift* aufzählung* zitat* quelle* inhalt* stichwort* tastenkürzel ähnlich* verwandt*
alternativ* variante* fortschritt* zertifikat* zeugnis* rang* punkt* los_geht_s loslegen neu_beginnen
nochmal erneut versuch* pausier* anpinn* fixier* abonnement_verwalten nachlesen lese* zuhör* stell* wechsl*
umschalt* ein_aus blend* verberg* zurückgeh* hoch runter links rechts oben unten größer kleiner heller
dunkler traduire tradui* compris j_ai_compris rétabl* populaire* écout* recalcul* ensemble vue_d_ensemble
proximité autour près équipe* membres activité* outil* tâche* projet* commentaires actualité* emploi* offres
catégorie* marque* magasin* agence* prix tarif* couleur* matière* unité* horaires organis* qualité
résolution enregistrement dict* orthograph* plan sommaire référence* raccourci* similaire* progress*
certificat* diplôme* classement points recommenc* refaire réessay* essay* reprendr* geler_les_volets
basculer haut bas gauche droite annexe* justificatif* pièce* planning disponibilité* itinér* météo notif*
alertes rappel* inviter_plus_tard mettre_en_pause mettre_de_côté repli* dépli* déroul* cacher agrandir
traduc* traduz* traducir entendi* entend* reanud* popular* escuch* oír cerca alrededor equipo* miembros
actividad* herramient* tarea* proyecto* comentarios mensajes noticia* empleo* ofertas categoría* marca*
tienda* oficina* servicio* precio* tarifa* artículo* unidad* organiz* calidad resolución grabar grabación
ortograf* índice* sumario citas_bibliográficas referencia* atajo* similar* relacionad* versión* progreso*
certificado* clasific* puntos reintent* intent* pausar arriba abajo izquierda derecha anexo* justificante*
disponibil* tiempo notific* aviso* pliegu* pleg* esconder agrand* comenzar_de_nuevo resumir descarga*
posponer aplazar ir_a ir_al ir_a_la cómo cuál quién dónde entendi retom* ouv* ouça escut* perto próximo_de
equipe* equipa* membros atividade* ferramenta* tarefa* projeto* comentários mensagens notícia* emprego*
vagas categoria* loja* agência* balcão serviço* preço* cor cores artigo* unidade* horários qualidade
resolução gravação ditar sumário citaç* referênc* atalho* semelhant* versão versões progresso* classificação
pontos tentar* tente reinici* acima abaixo esquerda direita comprovante* comprovativo* tempo notificaç*
lembr* dobr* fale avali* produto* adiar ir_para como qual quem onde saiba saber traduç* veja consulte
escolha selecione digite סקירה* למידע תרגם תרגום* הבנתי פופולרי* קרוב בקרבת התעלם האזן האזנה סימולטור* מזער
כווץ התקשרו_אלינו צוות חברים פעילות* כלים משימ* פרויקט* תגובות הודעות חדשות משר* מבצעים קטגורי* מותג* חנויות
סניפ* שירות* מחיר* תעריפ* צבע* חומר* מאמר* יחיד* שעות_פתיחה ארגן סדר איכות רזולוציה הקלט* הקלטה איות
תוכן_עניינים ציטוט* מקור* קיצור* דומ* קשור* חלופ* גרס* התקדמות תעוד* דירוג* ניקוד נסה_שוב שוב הפסקה השהיה
למעלה למטה ימינה שמאלה נספח* אישורים זמינות תזכורות התראות קפל הצפן גדול קטן דחה_למועד לפרטים לכל ראו לראות
להמשך להורדת למדריך איך כיצד מהי מיהו איפה לחזרה לדף לעמוד מעבר עבור חדשים הקודמים
"""

# A part of a page that says itself that its commands are dangerous.
DANGEROUS = """
danger dangerous danger_zone gefahr gefahrenbereich gefahrenzone danger_zone zone_de_danger zone_dangereuse
peligro zona_de_peligro zona_peligrosa perigo zona_de_perigo zona_perigosa סכנה אזור_סכנה
"""
