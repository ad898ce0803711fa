"""Sentences the chat says about an answer that did not come, by error code."""

_SENTENCES = {
    "model_unavailable": "The language model can not be reached. Your message is kept; try again in a moment.",
    "model_timeout": "The language model took too long. Your message is kept; try again.",
    "model_rate_limited": "The language model takes no more requests just now. Your message is kept; wait a little.",
    "model_refused": "The language model refused the request; an operator should check its key and name.",
    "model_answer_empty": "The language model answered with nothing. Your message is kept; try again.",
    "interrupted": "The answer was interrupted by a restart. Your message is kept; try again.",
}


def failure_sentence(code: str) -> str:
    """What to tell a person about a failed answer."""
    return _SENTENCES.get(code, "The answer could not be written. Your message is kept; try again.")
