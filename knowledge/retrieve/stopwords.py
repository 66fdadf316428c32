"""Words that say how something is asked, not what."""

_LISTS = {
    "en": """a about after again all also am an and any are as at be because been before being below
        between both but by can cannot could did do does doing done down during each else etc few for from
        further get gets getting had has have having he her here hers him his how i if in into is it its
        itself just let like made make makes many may me might more most much must my need no nor not
        now of off on once one only or other our out over own please same shall she should so some such
        than that the their them then there these they this those through to too under until up upon us
        use used uses using very want was way we were what when where which while who whom whose why
        will with within without would yes you your im ive id ill don doesn didn isn aren wasn won t s
        happen happens happened possible tell mean means something anything thing things there's""",
    "de": """aber als am an auch auf aus bei bin bis bist da damit das dass dem den der des die dies diese
        dieser dieses doch du durch ein eine einem einen einer eines er es für gibt hat habe haben ich ihr
        im in ist ja kann können man mein mich mir mit muss nach nicht noch nur ob oder sehr sein sich sie
        sind so soll über um und uns unter vom von vor wann war warum was welche welcher welches wenn wer
        werden wie wieso wird wo zu zum zur""",
    "fr": """à au aux avec ce ces cette comment dans de des du elle en est et être faire fait faut il ils je
        la le les leur lui ma mais me mes mon ne nous on ou où par pas pour pourquoi quand que quel quelle
        quelles quels qui quoi sa se ses si son sont sur ta te tes ton tu un une vos votre vous y""",
    "es": """a al como cómo con cual cuál cuando cuándo de del donde dónde el ella en entre era es esta este
        esto hay la las lo los me mi muy no nos o para pero por porque puede puedo que qué quien quién se
        sin sobre son su sus tiene un una uno y ya yo""",
    "ru": """а без более бы был была было были в вам вас все всё вы где да для до его ее если есть еще же за и
        из или им их к как какая какие какой когда кто ли мне можно мой мы на над надо не него нет ни но
        о об он она они от по под при про с со так такое там то того тоже только ты у уже чего чем что
        чтобы это этот эта эти я""",
    "he": """אבל או איך איפה אם אין אני את אתה הוא היא הם זה זאת יש כי כל כמה כן לא לי למה מה מי מתי על עם רק
        של שלי אל איזה איזו האם""",
}  # fmt: skip
STOPWORDS = frozenset(word for words in _LISTS.values() for word in words.split())
