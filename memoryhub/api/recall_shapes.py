"""The shapes of recall, its suites, embedders and feedback, for the OpenAPI document; see ``shapes``."""

from rest_framework import serializers as s

from memoryhub.api.shapes import LeftOut, RecalledFact, Shape


class TurnScoreParts(Shape):
    """What a past turn's score is made of; see docs/benchmarks.md for the weights."""

    cosine = s.FloatField(allow_null=True)
    keyword = s.FloatField()
    context = s.FloatField()  # type: ignore[assignment]
    thread_words = s.FloatField()
    thread_cosine = s.FloatField(allow_null=True)
    recency = s.FloatField()


class TurnRanks(Shape):
    """The place by each signal, from 1."""

    meaning = s.IntegerField()
    keywords = s.IntegerField()


class RecalledTurn(Shape):
    """A past turn that was found; ``text`` is its stretch ``[start, end)``."""

    turn = s.CharField()
    thread = s.CharField()
    seq = s.IntegerField()
    role = s.CharField()
    speaker = s.CharField()
    text = s.CharField()
    start = s.IntegerField()
    end = s.IntegerField()
    said_at = s.DateTimeField()
    score = s.FloatField()
    score_parts = TurnScoreParts()
    ranks = TurnRanks()


class LeftOutFact(Shape):
    """A fact that did not come back, and why."""

    fact = s.CharField()
    reason = s.CharField()
    score = s.FloatField()
    cosine = s.FloatField(allow_null=True)
    keyword = s.FloatField()
    duplicate_of = s.CharField(allow_null=True)


class Explanation(Shape):
    """Where candidates came from, and what was left out; at most 200, the nearest first."""

    source = s.CharField()  # type: ignore[assignment]
    tokens = s.IntegerField()
    left_out = LeftOutFact(many=True)


class Recall(Shape):
    """What a recall found. ``explanation`` only when asked for."""

    data = RecalledFact(many=True)  # type: ignore[assignment]
    turns = RecalledTurn(many=True)
    considered = s.IntegerField()
    left_out = LeftOut(many=True)
    degraded = s.BooleanField()
    explanation = Explanation(required=False)


class Feedback(Shape):
    """Noted that a fact does not answer a question."""

    id = s.CharField()
    fact = s.CharField()


class RecallSuite(Shape):
    """A named set of questions whose answer is known."""

    id = s.CharField()
    name = s.CharField()
    created_at = s.DateTimeField()


class RecallCase(Shape):
    """A question, and the facts that must come back for it."""

    id = s.CharField()
    suite = s.CharField()
    subject = s.CharField()
    query = s.CharField()
    expected = s.ListField(child=s.CharField())
    as_of = s.DateTimeField(allow_null=True)
    created_at = s.DateTimeField()


class RecallScores(Shape):
    """Shares in [0, 1]."""

    hit_at_k = s.FloatField()
    recall_at_k = s.FloatField()
    mrr = s.FloatField()


class RecallRunSummary(Shape):
    """A run in a list."""

    id = s.CharField()
    status = s.CharField()
    k = s.IntegerField()
    scores = RecallScores(allow_null=True)
    created_at = s.DateTimeField()


class RunProgress(Shape):
    """How far it is."""

    done = s.IntegerField()
    total = s.IntegerField()


class CaseScore(Shape):
    """How one case came out."""

    case = s.CharField()
    hit = s.BooleanField()
    rank = s.IntegerField(allow_null=True)
    share = s.FloatField()
    found = s.IntegerField()


class EarlierRun(Shape):
    """The run before."""

    id = s.CharField()
    scores = RecallScores()


class CaseDifference(Shape):
    """A case that came out otherwise than in the run before."""

    case = s.CharField()
    change = s.CharField()
    was = s.IntegerField(allow_null=True)
    now = s.IntegerField(allow_null=True)


class RecallRun(Shape):
    """A suite asked once, and what it was asked with."""

    id = s.CharField()
    suite = s.CharField()
    status = s.CharField()
    progress = RunProgress()
    k = s.IntegerField()
    made_with = s.DictField()
    scores = RecallScores(allow_null=True)
    cases = CaseScore(many=True)
    before = EarlierRun(allow_null=True)
    differences = CaseDifference(many=True)
    error_code = s.CharField(allow_null=True)
    created_at = s.DateTimeField()
    finished_at = s.DateTimeField(allow_null=True)


class NextEmbedder(Shape):
    """The embedder that is configured to follow."""

    name = s.CharField()
    dimension = s.IntegerField()


class EmbedderChange(Shape):
    """A change under way."""

    to = s.CharField()
    progress = RunProgress()
    error_code = s.CharField(allow_null=True)


class Embedder(Shape):
    """The embedder in force."""

    name = s.CharField()
    dimension = s.IntegerField()
    floor = s.FloatField()
    calibrated_at = s.DateTimeField(allow_null=True)
    calibration = s.DictField(allow_null=True)
    next = NextEmbedder(allow_null=True)
    change = EmbedderChange(allow_null=True)
    mismatches = s.ListField(child=s.CharField())


class EmbedderEstimate(Shape):
    """What a change of embedder would take."""

    name = s.CharField()
    dimension = s.IntegerField()
    facts = s.IntegerField()
    passages = s.IntegerField()
    tokens = s.IntegerField()
    price_usd = s.CharField(allow_null=True)
