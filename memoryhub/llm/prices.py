"""What a call costs, by the price list that ``genai-prices`` ships. No network."""

from decimal import Decimal

import genai_prices

from memoryhub.llm.types import Usage

_FREE = Decimal(0)
# The column keeps eight places: a hundred-millionth of a dollar.
_PLACES = Decimal("0.00000001")


def price_of(usage: Usage, *, backend: str, model: str, base_url: str) -> Decimal | None:
    """The price in US dollars; zero for the models that run here, ``None`` when the list does not know it.

    An endpoint of one's own is never priced by a public model's name: only the address tells who is paid.
    """
    if backend != "openai":
        return _FREE
    counted = genai_prices.Usage(
        input_tokens=usage.input, cache_read_tokens=min(usage.cached, usage.input), output_tokens=usage.output
    )
    try:
        found = genai_prices.calc_price(
            counted, model, provider_api_url=base_url or "https://api.openai.com/v1"
        )
    except (LookupError, ValueError):
        return None
    return Decimal(found.total_price).quantize(_PLACES)
