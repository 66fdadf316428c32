# ruff: noqa: RUF001  (letters of other alphabets are what these lists are made of)
"""What messages say, in 18 languages, as `app.engines.verification.wording` reads them.

A stem is a word or the beginning of one, `_` joins words that follow each other, `+` words that may
have one between them, a trailing `$` asks for the whole word. Stems in scripts that put no blanks
between words (Chinese, Japanese, Korean) are found anywhere. Accents and case do not matter. One
language a paragraph: en, de, fr, es, pt, it, nl, pl, ru, uk, tr, ar, he, zh, ja, ko, hi.
"""

ERROR = """
error fail invalid incorrect wrong denied forbidden not_found not_saved not_valid not_allowed
not_possible not_match please_specify please_complete please_accept please_tick please_pick please_add
could_not couldn can_not cannot can_t$ unable unsuccessful required must missing mandatory
please_enter please_fill please_select please_choose please_provide please_correct please_check
please_try already_exists already_taken already_in_use already_registered expired unauthori problem
went_wrong too_short too_long too_many too_large try_again timed_out rejected refused lost_connection
connection_lost aborted oops whoops fully_booked already_booked sold_out too_late too_early unavailable
not_available no_longer_available read_only exceeds exceeded limit_reached duplicate conflict offline
no_connection no_permission not_permitted not_authori access_is_denied sign_in_again log_in_again

fehler ungultig falsch fehlgeschlagen nicht_gefunden nicht_gespeichert nicht_moglich nicht_gultig
nicht_erlaubt konnte kann_nicht erforderlich pflichtfeld bitte_geben bitte_wahlen bitte_fullen
bitte_prufen bitte_korrigieren abgelaufen bereits_vorhanden bereits_vergeben existiert_bereits
verweigert abgelehnt muss$ mussen$

erreur echec echoue invalide incorrecte obligatoire requis veuillez_remplir veuillez_saisir
veuillez_choisir veuillez_verifier veuillez_corriger veuillez_reessayer impossible introuvable
refuse expire existe_deja n_a_pas_pu

fallo$ fallad fallid incorrect obligatori requerid no_se_pudo no_se_puede no_se_ha_podido
no_encontrad no_valid denegad caducad ya_existe rechazad intentelo_de_nuevo

erro$ erros$ obrigatori falha falhou nao_foi_possivel nao_encontrad nao_valid negad expirad ja_existe
recusad tente_novamente

errore errori non_riuscit fallit non_valid non_corrett errat obbligatori richiest impossibile
non_trovat negat scadut gia_esistent esiste_gia gia_in_uso riprova non_e_stato_possibile
si_prega_di_inserire deve$ rifiutat

fout$ fouten foutmelding mislukt ongeldig onjuist verplicht vereist niet_gevonden niet_opgeslagen
kan_niet kon_niet bestaat_al geweigerd verlopen probeer_het_opnieuw te_kort$ te_lang$ vul_een vul_uw
moet$

błąd błęd nie_udało nieprawidłow niepoprawn niewłaściw wymagan nie_można nie_znaleziono odmow wygas
już_istnieje zajęt spróbuj_ponownie nie_może nie_powiodł niepowodzeni proszę_podać proszę_wypełnić
musi$

ошибк не_удалось не_удается неверн недействительн некорректн неправильн обязательн не_найден отказан
невозможно нельзя истек уже_существует уже_занят повторите_попытку попробуйте_ещ недопустим
слишком_коротк слишком_длинн требуется не_сохранен пожалуйста_введите заполните_пол сбой

помилк не_вдалося невірн недійсн некоректн неправильн обов'язков не_знайдено відмовлено неможливо
термін_дії вже_існує вже_зайнят спробуйте_ще недопустим потрібно не_збережен будь_ласка_введіть

hata başarısız geçersiz yanlış zorunlu gerekli bulunamadı kaydedilemedi oluşturulamadı eklenemedi
güncellenemedi silinemedi gönderilemedi yapılamadı olamaz lütfen_girin reddedildi süresi_doldu
zaten_var zaten_mevcut tekrar_deneyin boş_bırakılamaz lütfen_doldurun

خطأ الخطأ أخطاء فشل فشلت غير_صالح غير_صحيح مطلوب لا_يمكن تعذر لم_يتم غير_موجود مرفوض انتهت_صلاحية
موجود_بالفعل حاول_مرة يرجى_إدخال الرجاء_إدخال

שגיאה שגיאות נכשל לא_תקין לא_תקינה לא_נמצא חובה לא_ניתן פג_תוקף נדחה נדחתה שגוי כבר_קיים נסה_שוב

错误 錯誤 失败 失敗 无效 無效 不正确 不正確 必填 必须 必須 不能 无法 無法 未找到 找不到 拒绝 拒絕 过期
過期 已存在 请输入 請輸入 请选择 請選擇 请填写 請填寫 未保存 未儲存 不成功 未成功 重试 重試 有误 有誤
出错 出錯 不可为空

エラー 失敗 できません 無効 正しくありません 必須 見つかりません 入力してください 選択してください
拒否 期限切れ 有効期限 すでに存在 既に存在 すでに使用 既に使用 もう一度 不正 されていません 問題が発生

오류 에러 실패 잘못 유효하지 필수 수_없습니다 입력하세요 입력해_주세요 선택하세요 선택해_주세요
만료 거부 이미_존재 이미_사용 다시_시도 않았습니다 문제가_발생

त्रुटि गलत विफल असफल अमान्य आवश्यक अनिवार्य नहीं_हो_सक नहीं_किया_जा नहीं_मिला असमर्थ कृपया_दर्ज
पहले_से_मौजूद समय_समाप्त पुनः_प्रयास अस्वीकार
"""

SUCCESS = """
success saved created added updated deleted removed sent$ submitted completed confirmed registered
published uploaded booked scheduled signed_in logged_in logged_out signed_out thank_you thanks
welcome congratulations done$ copied received changed applied enabled disabled placed accepted
archived restored stored$ exported imported downloaded duplicated subscribed unsubscribed

erfolg gespeichert erstellt angelegt hinzugefugt aktualisiert geandert geloscht gesendet bestatigt
danke willkommen registriert abgeschlossen ubernommen exportiert importiert

succes enregistree$ enregistre$ enregistres$ cree$ creee$ ajoute mis_a_jour mise_a_jour supprime
envoye$ envoyee$ confirme merci bienvenue termine modifie$ modifiee$ exporte$ exportee$ importe$ importee$

exito guardad cread anadid agregad actualizad eliminad enviad confirmad gracias bienvenid completad
registrad correctamente

sucesso salvo$ salva$ salvos$ criad adicionad atualizad excluid obrigado$ obrigada$ bem_vindo
concluid cadastrad

salvato$ salvata$ salvati$ salvate$ creato$ creata$ aggiunto$ aggiunta$ aggiornat eliminato$
eliminata$ inviato$ inviata$ completato$ completata$ confermat registrato$ registrata$ grazie
benvenut riuscita$ riuscito$ modificato$ modificata$

opgeslagen aangemaakt toegevoegd bijgewerkt verwijderd verzonden gelukt bedankt welkom voltooid
bevestigd geregistreerd gewijzigd

zapisan utworzon dodan zaktualizowan usunięt wysłan pomyślnie sukces dziękujemy witaj potwierdzon
zakończon zarejestrowan przyjęt

сохранен создан добавлен обновлен удален отправлен успешно успех спасибо завершен подтвержден
зарегистрирован изменен добро_пожаловать готово$

збережен створен додан оновлен видален надіслан успішно дякуємо завершен підтверджен зареєстрован
змінен ласкаво_просимо готово$

kaydedildi oluşturuldu eklendi güncellendi silindi gönderildi başarıyla başarılı tamamlandı teşekkür
hoş_geldiniz onaylandı kaldırıldı değiştirildi

تم_حفظ تم_الحفظ تم_إنشاء تم_الإنشاء تم_إضافة تمت_إضافة تمت_الإضافة تم_تحديث تم_التحديث تم_حذف
تم_الحذف تم_إرسال تم_الإرسال تم_تسجيل بنجاح نجاح شكرا أهلا مرحبا اكتمل

בהצלחה נשמר נוצר נוסף עודכן נמחק נשלח תודה ברוך הושלם אושר

成功 已保存 已儲存 已创建 已建立 已添加 已新增 已更新 已删除 已刪除 已发送 已傳送 已提交 已完成 谢谢
謝謝 感谢 感謝 欢迎 歡迎 已确认 已確認

保存しました 保存されました 作成しました 作成されました 追加しました 追加されました 更新しました
更新されました 削除しました 削除されました 送信しました 送信されました 登録しました 登録されました
完了 成功 ありがとう ようこそ

저장되었 저장했 저장됨 생성되었 추가되었 업데이트되었 수정되었 변경되었 삭제되었 전송되었 보냈습니다
등록되었 완료 성공 감사합니다 환영합니다

सफल सहेजा_गया सहेज_लिया बनाया_गया जोड़ा_गया अपडेट_किया_गया हटाया_गया भेजा_गया धन्यवाद स्वागत
"""

BUSY = """
loading saving sending submitting processing please_wait working updating$ creating$ uploading$
deleting$ in_progress searching signing_in$ logging_in$ adding$ removing$ applying$ publishing$
verifying$ just_a_moment one_moment hang_on redirecting$ reconnecting$ retrying$ renewing refreshing$
signing_you_in logging_you_in signing_in_again logging_in_again taking_you bringing_you
wird_geladen wird_gespeichert wird_gesendet ladt laden$ speichert bitte_warten einen_moment
werden_angemeldet wieder_angemeldet werden_weitergeleitet wird_erneuert wird_verarbeitet
chargement enregistrement_en_cours envoi_en_cours patientez veuillez_patienter
reconnexion_en connexion_en_cours redirection un_instant
cargando guardando enviando procesando espere carregando salvando processando aguarde
iniciando_sesion reconectando redirigiendo un_momento redirecionando um_momento entrando_novamente
caricamento salvataggio_in_corso invio_in_corso attendere attendi
accesso_in_corso reindirizzamento riconnessione un_attimo
bezig_met wordt_geladen wordt_opgeslagen even_geduld
opnieuw_aangemeld wordt_aangemeld wordt_doorgestuurd een_ogenblik
ładowanie zapisywanie wysyłanie proszę_czekać przetwarzanie trwa_zapis
trwa_logowanie ponowne_logowanie przekierowywanie chwileczkę
загрузка сохранение$ отправка подождите обработка сохраняется загружается
выполняется_вход повторный_вход перенаправление одну_минуту
завантаження збереження$ надсилання зачекайте обробка зберігається
виконується_вхід повторний_вхід перенаправлення хвилинку
yükleniyor kaydediliyor gönderiliyor bekleyin işleniyor
oturum_açılıyor giriş_yapılıyor yönlendiriliyor bir_dakika$
جار_التحميل جاري_التحميل جار_الحفظ جاري_الحفظ جار_الإرسال جاري_الإرسال يرجى_الانتظار الرجاء_الانتظار
جار_تسجيل جاري_تسجيل جار_إعادة جاري_إعادة لحظة_واحدة
טוען שומר$ שולח$ נא_להמתין אנא_המתן
מתחבר$ מתחברים$ מעביר$ מעבירים$ רק_רגע
加载中 正在加载 正在保存 保存中 提交中 处理中 请稍候 请稍等 載入中 儲存中 處理中 請稍候
正在登录 正在登入 正在跳转 正在重新 登录中 登入中
読み込み中 保存中 送信中 処理中 お待ちください
ログイン中 サインイン中 再接続中 ログインしています サインインしています 移動しています
로딩 불러오는_중 저장_중 처리_중 전송_중 기다려_주세요
로그인_중 로그인하는_중 이동_중 연결_중
लोड_हो सहेजा_जा_रहा प्रतीक्षा
साइन_इन_किया_जा लॉग_इन_किया_जा एक_क्षण
"""

# What titles and headings of error pages begin with.
ERROR_PAGE = """
400$ 401$ 403$ 404$ 405$ 408$ 410$ 429$ 500$ 501$ 502$ 503$ 504$ error_400$ error_401$ error_403$
error_404$ error_500$ error_502$ error_503$ error_504$
page_not_found page_can_t_be_reached page_unavailable page_not_available site_not_found
file_not_found not_found forbidden bad_gateway bad_request
internal_server_error internal_error server_error service_unavailable access_denied
application_error runtime_error unexpected_error an_error_occurred an_error_has_occurred
a_server_error something_went_wrong oops whoops gateway_timeout gateway_time_out
this_site_can_t_be_reached this_page_isn_t_working
seite_nicht_gefunden interner_serverfehler ein_fehler_ist_aufgetreten zugriff_verweigert
page_introuvable page_non_trouvee une_erreur_est_survenue une_erreur_s_est_produite
pagina_no_encontrada error_interno se_ha_producido_un_error ha_ocurrido_un_error
pagina_nao_encontrada ocorreu_um_erro erro_interno
pagina_non_trovata si_e_verificato_un_errore errore_interno
pagina_niet_gevonden er_is_een_fout interne_serverfout
nie_znaleziono_strony strona_nie_została wystąpił_błąd błąd_serwera
страница_не_найдена ошибка_сервера внутренняя_ошибка произошла_ошибка
сторінку_не_знайдено помилка_сервера сталася_помилка
sayfa_bulunamadı sunucu_hatası bir_hata_oluştu
الصفحة_غير_موجودة خطأ_في_الخادم حدث_خطأ
הדף_לא_נמצא העמוד_לא_נמצא שגיאת_שרת אירעה_שגיאה
页面未找到 页面不存在 找不到页面 服务器错误 找不到網頁 伺服器錯誤 无法访问
ページが見つかりません サーバーエラー エラーが発生
페이지를_찾을 서버_오류 오류가_발생
पृष्ठ_नहीं_मिला सर्वर_त्रुटि
"""

# Whole titles and headings that say no more than that: "Error".
ERROR_TITLE = """
error errors fehler erreur errore erro fout błąd ошибка помилка hata خطأ שגיאה 错误 錯誤 エラー 오류 त्रुटि
"""

# What turns what follows it into its opposite.
DENIAL = """
no not 0 zero without never isn't wasn't aren't weren't hasn't haven't kein keine keinen keinerlei nicht
ohne sans aucun aucune pas sin sem nao non senza nessun nessuna niet geen zonder nie bez żadnych
не без нет ні немає
لا لم غير بدون לא ללא אין नहीं
"""

# What tells of errors that there are none, where the denial comes after or has no blank before it.
NO_ERRORS = """
没有错误 沒有錯誤 无错误 無錯誤 エラーなし エラーはありません エラーはない 오류_없음 오류가_없 hata_yok
"""

# How a way in is called, besides by the words of `app.engines.risk.words`.
SIGN_IN = """
accedi$ accesso$ inloggen aanmelden$ zaloguj logowanie войти$ вход$ авторизац увійти$ вхід$
giriş_yap oturum_aç تسجيل_الدخول 登录 登入 登錄 ログイン サインイン 로그인 लॉग_इन साइन_इन
session_expired session_has_expired
"""

# How a page says that whoever uses it is signed out; "signed out" alone may be of somebody else.
SIGNED_OUT = """
you_have_been_signed_out you_have_been_logged_out you_were_signed_out you_were_logged_out
you_are_signed_out you_are_logged_out you_re_signed_out you_re_logged_out you_ve_been_signed_out
you_ve_been_logged_out signed_out_due logged_out_due signed_out_for logged_out_for you_are_not_signed_in
you_are_not_logged_in you_re_not_signed_in you_re_not_logged_in no_longer_signed_in no_longer_logged_in
session_has_expired session_expired session_has_ended session_ended session_timed_out
session_has_timed_out session_is_over
sie_wurden_abgemeldet du_wurdest_abgemeldet sie_sind_abgemeldet nicht_mehr_angemeldet sitzung+abgelaufen
sitzung_wurde_beendet
vous_avez_ete_deconnecte vous_etes_deconnecte session+expire$ session+expiree$
su_sesion_ha_caducado su_sesion_ha_expirado sesion_expirada sesion_caducada se_ha_cerrado_la_sesion
se_ha_cerrado_su_sesion
sessao_expirou sessao_expirada sua_sessao_terminou voce_foi_desconectado
sessione+scaduta sei_stato_disconnesso sei_stata_disconnessa
u_bent_afgemeld u_bent_uitgelogd je_bent_uitgelogd sessie+verlopen
zostałeś_wylogowan zostałaś_wylogowan wylogowano_cię sesja_wygasła
вы_вышли_из сеанс_истек срок_сеанса_истек сессия_истекла
ви_вийшли_з сеанс_завершен сесія_закінчилася термін_дії_сеансу
oturumunuz_kapatıldı oturumunuzun_süresi oturum_süresi_doldu
انتهت_الجلسة انتهت_صلاحية_الجلسة انتهت_جلستك تم_تسجيل_خروجك
פג_תוקף_החיבור החיבור_פג נותקת$ ההפעלה_הסתיימה
会话已过期 登录已过期 登录已失效 您已退出登录 會話已過期 登入已過期 您已登出
セッションの有効期限 セッションが切れ セッションがタイムアウト ログアウトされました
세션이_만료 로그아웃되었 सत्र_समाप्त सत्र_की_समय लॉग_आउट_कर_दिया
"""

# Parts of an address that lead there.
SIGN_IN_PATH = """
login signin sign_in log_in logon auth sso oauth oauth2 saml session sessions anmelden anmeldung connexion
acceso entrar accedi inloggen zaloguj giris
"""
