"""The catalogue of error codes that callers of the API may meet; ``type`` of a problem points here.

A test compares it with the codes in the source: a code that is raised and not listed fails it.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ErrorCode:
    """A stable code, what it means, and what the caller does about it."""

    code: str
    meaning: str


@dataclass(frozen=True)
class ErrorGroup:
    """The codes of one HTTP status."""

    status: int
    title: str
    codes: Sequence[ErrorCode]


def _group(status: int, title: str, codes: dict[str, str]) -> ErrorGroup:
    return ErrorGroup(status, title, [ErrorCode(code, meaning) for code, meaning in codes.items()])


GROUPS: Sequence[ErrorGroup] = (
    _group(400, "Invalid input", {
        "invalid": "Something in the body is wrong. errors names each field, with its own code.",
        "required": "A field is missing. Send it.",
        "null": "A field may not be null. Leave it out or give a value.",
        "blank": "A field or filter is empty. Give a value, or leave it out.",
        "unknown_field": "A field is not known here. Check its spelling.",
        "unknown_parameter": "A query parameter is not known to this list. Check its spelling.",
        "unknown_value": "A filter holds a value that does not exist. The sentence lists those that do.",
        "unknown_weight": "There is no such weight. The sentence names those that there are.",
        "nothing_to_rank_by": "Meaning and keywords can not both weigh nothing: nothing would be found.",
        "no_such_fact": "A fact that is named is not this subject's.",
        "too_many": "More than the field may hold. The sentence names the limit.",
        "wrong_size": "A labelled set has to have between 20 and 2,000 pairs.",
        "bad_line": "A line of a labelled set can not be read. The sentence names it.",
        "no_next_embedder": "Configure the embedder to come first: MEMORYHUB_LLM_NEXT_EMBED_MODEL.",
        "unknown_kind": "kind is none of the kinds of fact or request. The sentence lists them.",
        "unknown_reason": "reason is none of the reasons. The sentence lists them.",
        "unknown_instruction": "order names an instruction that is not in force, or one twice.",
        "unknown_role": "role is none of the roles of a turn or a member. The sentence lists them.",
        "unknown_scope": "scopes holds one that a key can not have. The sentence lists them.",
        "malformed_json": "The body is not JSON in UTF-8. Check quotes and commas.",
        "json_too_deep": "The body nests too deeply. Flatten it.",
        "not_a_string": "Send a JSON string here.",
        "not_a_number": "Send a whole JSON number here.",
        "not_a_boolean": "Send true or false here.",
        "not_an_object": "Send a JSON object here.",
        "not_a_list": "Send a JSON array here.",
        "empty": "The list needs at least one entry.",
        "min_length": "The list or text is shorter than allowed. The sentence names the limit.",
        "max_length": "The list or text is longer than allowed. Send it in parts.",
        "min_value": "The number is below the limit that the sentence names.",
        "max_value": "The number is above the limit that the sentence names.",
        "max_string_length": "The number has too many digits.",
        "too_long": "A text is longer than its field allows. The sentence names the limit.",
        "out_of_range": "A number or a time lies outside of what is possible here.",
        "nul_character": "A text holds the NUL character. Remove it.",
        "lone_surrogate": "A text holds half of a surrogate pair. Send valid Unicode.",
        "bad_character": "metadata holds a NUL character or half a surrogate pair.",
        "not_an_address": "This is no e-mail address.",
        "not_one_subject": "subject names nobody or everybody. Give the id of one person.",
        "no_such_record": "An id points to nothing that you may see.",
        "no_such_turn": "turn is no turn of this subject.",
        "quote_not_found": "quote does not stand word for word in that turn.",
        "before_valid_at": "invalid_at lies before valid_at.",
        "no_zone": "A time needs a zone, such as Z or +02:00.",
        "in_the_future": "created_at lies in the future. Check the clock of the sender.",
        "in_the_past": "expires_at lies in the past.",
        "invalid_time": "Send a time like 2026-03-01T00:00:00Z.",
        "invalid_cursor": "This list gave out no such cursor. Start from the first page.",
        "invalid_limit": "limit is outside of what the sentence names.",
        "invalid_order": "order names a column that this list is not ordered by.",
    }),
    _group(401, "Not signed in", {
        "unauthenticated": "Send a key as Authorization: Bearer mh_live_…",
        "invalid_key": "The key is not known. Check that it was copied whole.",
        "expired_key": "The key has expired. Create a new one.",
        "revoked_key": "The key was revoked. Create a new one.",
    }),
    _group(403, "Not allowed", {
        "forbidden": "The caller may not do this.",
        "missing_scope": "The key lacks the scope that the sentence names. Create one that has it.",
        "missing_permission": "The person's role does not include this. An owner can change it.",
        "second_person_needed": "Who opened a privacy request can not approve it.",
    }),
    _group(404, "Not found", {
        "not_found": "There is no such thing, or it is not yours; the two look the same.",
        "no_summary": "The thread is short enough to have no summary.",
    }),
    _group(405, "Wrong method", {"method_not_allowed": "This address does not take this method. See Allow."}),
    _group(406, "Not acceptable", {"not_acceptable": "Only application/json is spoken here. Change Accept."}),
    _group(409, "Conflict", {
        "conflict": "The present state does not allow it. Read again and decide anew.",
        "wrong_status": "The record is in a state in which this can not be done.",
        "duplicate_fact": "Another fact of this subject says the same already.",
        "slot_taken": "Another active fact gives this attribute. Archive that one first.",
        "suppressed": "The statement was purged. Only a person can have it stored again.",
        "special_category": "It is personal data of a special category, which the policy here does not store.",
        "nothing_superseded": "The fact has ended no other, so there is nothing to bring back.",
        "rebuild_running": "The memory is being rebuilt already. Wait for it.",
        "embedder_in_force": "The embedder to come is in force already.",
        "embedder_change_running": "A change to another embedder is under way. Wait for it.",
        "suite_empty": "The suite has no cases yet. Save a question as a test first.",
        "suite_full": "The suite holds as many cases as it may. Start another.",
        "rebuild_not_failed": "Only a rebuild that failed can be tried again.",
        "thread_id_taken": "The external_id is another subject's thread.",
        "client_id_reused": "The client_id was used in this thread with other content.",
        "slug_taken": "An organisation with this short name exists.",
        "already_member": "The person is a member already.",
        "last_owner": "An organisation needs an owner. Make somebody else one first.",
        "request_open": "A privacy request of this kind is open for this person.",
        "preview_missing": "Look at the preview before approving.",
        "preview_changed": "What would be erased has changed since the preview. Look again.",
        "job_not_failed": "Only a failed or parked job can be tried again.",
        "answer_not_failed": "Only an answer that failed or was stopped can be written anew.",
        "not_last_answer": "The conversation has gone on. Ask in a new message.",
        "idempotency_in_progress": "A twin of this request is being worked on. Wait for it.",
    }),
    _group(410, "Erased", {
        "gone": "It was here and has been erased.",
        "subject_erased": "The subject was erased and is not remembered again under this id.",
    }),
    _group(412, "Changed since you read it", {
        "stale": "If-Match names an older version. The ETag of the answer is the present one's.",
    }),
    _group(413, "Too large", {
        "too_large": "A field is above its limit. The sentence names it.",
        "body_too_large": "The whole body is above 2 MB. Send fewer turns at once.",
    }),
    _group(415, "Wrong media type", {"unsupported_media_type": "Send Content-Type: application/json."}),
    _group(422, "Unprocessable", {
        "unprocessable": "Well formed, and contradicting an earlier request.",
        "idempotency_key_reused": "The Idempotency-Key was used with another body. Use a new one.",
    }),
    _group(428, "If-Match needed", {
        "precondition_required": "Send If-Match with the ETag that you read, or * for any.",
    }),
    _group(429, "Too many requests", {
        "rate_limited": "Wait for as many seconds as Retry-After says.",
        "throttled": "Wait for as many seconds as Retry-After says.",
    }),
    _group(500, "Our fault", {
        "internal": "Something broke on our side and was logged. Name the request_id when you report it.",
    }),
    _group(503, "Unavailable", {
        "unavailable": "Something that is depended on does not answer. Nothing was written; try again.",
        "database_unavailable": "The database does not answer. Nothing was written; try again.",
        "model_error": "A model call failed. Nothing that was said is lost.",
        "model_unavailable": "The model provider can not be reached. Try again later.",
        "model_timeout": "The model provider did not answer in time. Try again later.",
        "model_rate_limited": "The model provider takes no more calls for now. Try again later.",
        "model_refused": "The model provider refuses the call. Its key or model name needs a look.",
        "model_answer_invalid": "The model answered with something that is no answer. Try again.",
    }),
)  # fmt: skip
