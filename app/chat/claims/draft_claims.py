"""Claims while a model writes them: each is certified as soon as it is whole, and told of as unchecked."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from app.chat.claims.body import Markers
from app.chat.claims.certificate import CertifiedClaim, certify_claims
from app.chat.claims.claim import Claim, ClaimReply, claims_of
from app.chat.claims.sources import Sources
from app.chat.output.draft import Draft, DraftClaim, State

ANEW = "The model broke off, and begins its answer anew."


class DraftClaims:
    """Tells a draft what becomes of the claims of one answer, held against `sources`. `most` are told."""

    def __init__(self, draft: Draft, sources: Sources, *, question: str, most: int) -> None:
        self._draft = draft
        self.sources = sources
        self._question = question
        self._most = most
        self._found: dict[Claim, CertifiedClaim] = {}

    async def update(self, said: Mapping[str, Any]) -> None:
        """What has come of a reply with `claims`, whose last is not whole where nothing comes after."""
        replies = said.get("claims")
        if not said:
            await self._draft.restart(ANEW)
        if not isinstance(replies, list):
            return
        language = str(said.get("language", "")).partition("-")[0].casefold()
        whole = len(replies) - (list(said)[-1] == "claims")
        shown: list[CertifiedClaim | Claim] = []
        for at, reply in enumerate(replies):
            for claim in _claims(reply):
                # Which names are looked for hangs on the language: before it is known nothing is refused.
                known = at < whole and language
                shown.append(self._certified(claim, language) if known else claim)
        await self._tell(shown)

    async def show_checked(self, found: Sequence[CertifiedClaim]) -> None:
        """All of them, certified or mended; a model has not judged them yet."""
        await self._tell(found)

    def _certified(self, claim: Claim, language: str) -> CertifiedClaim:
        if claim not in self._found:
            self._found[claim] = certify_claims(
                claim, self.sources, question=self._question, language=language
            )
        return self._found[claim]

    async def _tell(self, shown: Sequence[CertifiedClaim | Claim]) -> None:
        markers = Markers()
        for number, one in enumerate(shown[: self._most], 1):
            if isinstance(one, Claim):
                await self._draft.update_claim(number, DraftClaim(one.text))
                continue
            state: State = "unsupported" if one.reason else "cited"
            cited = () if one.reason else markers.citations_of(one.held)
            await self._draft.update_claim(
                number, DraftClaim(one.claim.text, state, one.reason, cited)
            )


def _claims(reply: object) -> Sequence[Claim]:
    """The claim of a reply as far as it has come; none where it says nothing yet."""
    try:
        return claims_of([ClaimReply.model_validate(reply)])
    except ValidationError:
        return ()
