"""Okapi BM25 (Robertson and others, TREC-3), in its plain form: what keywords alone find."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

K1, B = 1.5, 0.75


class Index:
    """Texts under their names, as their terms with how often each stands there."""

    def __init__(self, texts: Mapping[str, Mapping[str, int]]) -> None:
        self._length = {name: sum(terms.values()) for name, terms in texts.items()}
        self._of_term: dict[str, dict[str, int]] = defaultdict(dict)
        for name, terms in texts.items():
            for term, count in terms.items():
                self._of_term[term][name] = count
        self._mean = sum(self._length.values()) / max(1, len(self._length))

    def best(self, terms: Iterable[str], limit: int) -> list[str]:
        """The names of the texts that fit best; those without any of the terms are not among them."""
        scores: Counter[str] = Counter()
        for term in terms:
            found = self._of_term.get(term, {})
            idf = math.log(1 + (len(self._length) - len(found) + 0.5) / (len(found) + 0.5))
            for name, count in found.items():
                norm = K1 * (1 - B + B * self._length[name] / self._mean)
                scores[name] += idf * count * (K1 + 1) / (count + norm)  # type: ignore[assignment]
        return [name for name, _ in scores.most_common(limit)]
