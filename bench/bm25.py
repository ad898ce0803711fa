"""Okapi BM25 (Robertson and others, TREC-3), in its plain form: what keywords alone find."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping

K1, B = 1.5, 0.75
_WORD = re.compile(r"\w+")


class Index:
    """Texts under their names."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._length: dict[str, int] = {}
        self._of_word: dict[str, dict[str, int]] = defaultdict(dict)
        for name, text in texts.items():
            words = _WORD.findall(text.lower())
            self._length[name] = len(words)
            for word, count in Counter(words).items():
                self._of_word[word][name] = count
        self._mean = sum(self._length.values()) / max(1, len(self._length))

    def best(self, query: str, limit: int) -> list[str]:
        """The names of the texts that fit best; those without any word of the query are not among them."""
        scores: Counter[str] = Counter()
        for word in set(_WORD.findall(query.lower())):
            found = self._of_word.get(word, {})
            idf = math.log(1 + (len(self._length) - len(found) + 0.5) / (len(found) + 0.5))
            for name, count in found.items():
                norm = K1 * (1 - B + B * self._length[name] / self._mean)
                scores[name] += idf * count * (K1 + 1) / (count + norm)  # type: ignore[assignment]
        return [name for name, _ in scores.most_common(limit)]
