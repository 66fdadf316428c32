"""What a call will probably cost, before it leaves."""

from datetime import date

from app.domain.money import nano
from app.domain.usage import CallIntent
from app.usage.pricing import MILLION, Prices

CHARS_A_TOKEN = 4  # of English, by Google's and OpenAI's own rule of thumb
IMAGE_TOKENS = 1_000  # of one picture of a page, which providers cut into tiles of 258
REPLY_TOKENS = 300  # of our replies; their bound is about ten times that, and never used up


def price_ahead(intent: CallIntent, prices: Prices, on: date) -> int:
    """Billionths of a dollar; 0 where no price is known. Nothing is taken to be cached."""
    if intent.kind == "search":
        credit = prices.file.searches.get(intent.provider.casefold())
        return nano(intent.credits * credit.credit) if credit else 0
    rate = prices.rate(intent.provider, intent.model, on)
    if rate is None:
        return 0
    sent = intent.characters / CHARS_A_TOKEN + intent.images * IMAGE_TOKENS
    reply = min(REPLY_TOKENS, intent.most_output)
    return nano((sent * rate.input + reply * rate.output) / MILLION)
