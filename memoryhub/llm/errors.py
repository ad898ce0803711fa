"""How a model call fails. The sentences are ours: a provider's text may hold keys or prompts and is never shown."""

from memoryhub.errors import Unavailable


class ModelError(Unavailable):
    """Base of every failed model call. Nothing that was said is lost by it."""

    code = "model_error"


class ModelUnavailable(ModelError):
    """The provider can not be reached or reports a fault of its own (5xx). Trying again later helps."""

    code = "model_unavailable"


class ModelTimeout(ModelUnavailable):
    """The provider was reached and did not answer in time."""

    code = "model_timeout"


class ModelRateLimited(ModelError):
    """The provider takes no more calls for now. ``retry_after`` is in seconds, as told or guessed."""

    code = "model_rate_limited"

    def __init__(self, message: str, *, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelRefused(ModelError):
    """The provider refuses the call: key, model name or request. Trying again does not help; configuration does."""

    code = "model_refused"


class ModelAnswerInvalid(ModelError):
    """The provider answered with something that is no answer: cut off, not JSON, too large, wrong dimension."""

    code = "model_answer_invalid"


class ModelCallInTransaction(RuntimeError):
    """A model was called while a transaction was open. A fault in the program: locks would be held for seconds."""
