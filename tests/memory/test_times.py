"""Times in words, in five languages, seen from the moment they were said: Wednesday, 24 May 2023, 02:00 UTC."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.memory.times import When, resolve

SAID = datetime(2023, 5, 24, 2, 0, tzinfo=UTC)


def show(when: When | None) -> str:
    if when is None:
        return "none"
    start = f"{when.start:%Y-%m-%d}" if when.start else ""
    end = "said" if when.end == SAID else f"{when.end:%Y-%m-%d}" if when.end else ""
    return f"{'at ' if when.event else ''}{start}..{end}"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("I went to Paris last week", "at 2023-05-15..2023-05-22"),
        ("I went to Paris yesterday", "at 2023-05-23..2023-05-24"),
        ("I moved here two years ago", "at 2021-01-01..2022-01-01"),
        ("I started 3 weeks ago", "at 2023-05-03..2023-05-04"),
        ("I've lived in Porto since March", "2023-03-01.."),
        ("I've lived in Porto since March 2019", "2019-03-01.."),
        ("I've lived in Porto since October", "2022-10-01.."),
        ("I've been ill since Monday", "2023-05-22.."),
        ("I've been ill since Friday", "2023-05-19.."),
        ("Ich wohne seit Oktober in Leipzig", "2022-10-01.."),
        ("J'habite à Lyon depuis octobre", "2022-10-01.."),
        ("Vivo en Sevilla desde octubre", "2022-10-01.."),
        ("I will work from Monday", "2023-05-29.."),
        ("I've been vegetarian for 3 years", "2020-05-24.."),
        ("I'm on holiday until Friday", "..2023-05-27"),
        ("I need it by 3 June", "..2023-06-04"),
        ("I worked at Acme from 2010 to 2015", "2010-01-01..2016-01-01"),
        ("My exam is on 2024-02-12", "at 2024-02-12..2024-02-13"),
        ("I leave tomorrow", "at 2023-05-25..2023-05-26"),
        ("next month we migrate", "at 2023-06-01..2023-07-01"),
        ("I used to live in Rome", "..said"),
        ("I no longer eat meat", "..said"),
        ("we meet on Monday", "at 2023-05-29..2023-05-30"),
        ("we met last Monday", "at 2023-05-22..2023-05-23"),
        ("in December I was in Oslo", "at 2022-12-01..2023-01-01"),
        ("Letzte Woche war ich in Paris", "at 2023-05-15..2023-05-22"),
        ("Ich wohne seit März in Leipzig", "2023-03-01.."),
        ("Vor drei Wochen habe ich angefangen", "at 2023-05-03..2023-05-04"),
        ("Ich bin bis Freitag im Urlaub", "..2023-05-27"),
        ("Früher habe ich in Rom gewohnt", "..said"),
        ("Meine Prüfung ist am 12. Februar 2024", "at 2024-02-12..2024-02-13"),
        ("Von 2010 bis 2015 war ich bei Acme", "2010-01-01..2016-01-01"),
        ("Je suis allé à Paris la semaine dernière", "at 2023-05-15..2023-05-22"),
        ("J'habite à Lyon depuis mars 2019", "2019-03-01.."),
        ("J'ai commencé il y a trois semaines", "at 2023-05-03..2023-05-04"),
        ("Mon examen est le 12 février 2024", "at 2024-02-12..2024-02-13"),
        ("La semana pasada fui a París", "at 2023-05-15..2023-05-22"),
        ("Vivo en Sevilla desde marzo", "2023-03-01.."),
        ("Empecé hace tres semanas", "at 2023-05-03..2023-05-04"),
        ("Mi examen es el 12 de febrero de 2024", "at 2024-02-12..2024-02-13"),
        ("Ya no vivo en Roma", "..said"),
        ("我上周去了巴黎", "at 2023-05-15..2023-05-22"),
        ("我从2019年3月住在成都", "2019-03-01.."),
        ("三周前开始的", "at 2023-05-03..2023-05-04"),
        ("考试在2024年2月12日", "at 2024-02-12..2024-02-13"),
        ("我昨天到的", "at 2023-05-23..2023-05-24"),
        ("我以前住在罗马", "..said"),
    ],
)
def test_words_become_times(words: str, expected: str) -> None:
    assert show(resolve(words, SAID)) == expected


@pytest.mark.parametrize(
    "words",
    ["the service listens on port 9077", "port 2024 is open", "it costs 2019 euros", "ticket 20231 is open", "十万年前", "I may be late",
     "I live in Porto", "room 1984", "call 555-2023", "version 2.20.24", "", "99999 days ago", "32 May", "0 weeks ago", "9999-99-99"],
)  # fmt: skip
def test_what_is_no_time_gives_none(words: str) -> None:
    assert resolve(words, SAID) is None


def test_a_day_is_the_subjects_day() -> None:
    """At 02:00 UTC it is still yesterday in New York."""
    when = resolve("I came back today", SAID, "America/New_York")
    assert when is not None
    assert when.start == datetime(2023, 5, 23, 4, 0, tzinfo=UTC)


def test_an_unknown_zone_is_utc() -> None:
    assert resolve("today", SAID, "Mars/Olympus") == resolve("today", SAID)


@given(
    st.text(max_size=200),
    st.datetimes(timezones=st.just(UTC), min_value=datetime(1990, 1, 1), max_value=datetime(2100, 1, 1)),
)
def test_no_words_are_an_error(words: str, said: datetime) -> None:
    when = resolve(words, said)
    assert when is None or when.start is None or when.end is None or when.start <= when.end or not when.event


@given(
    st.sampled_from(
        [
            "last week",
            "since March",
            "3 weeks ago",
            "until Friday",
            "hace 10 años",
            "vor 2 Monaten",
            "去年",
            "in 2019",
        ]
    ),
    st.text(max_size=30),
)
def test_words_around_a_time_do_not_break_it(words: str, around: str) -> None:
    resolve(f"{around} {words} {around}", SAID)
