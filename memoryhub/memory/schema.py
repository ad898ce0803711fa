"""What may be known: the kinds of fact, and the attributes a fact may give a value for.

One table for the extraction prompt, for reconciliation (how many values at a time), for ageing (how long a kind
stays fresh) and for the documentation page, so that they can not disagree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memoryhub.memory.kinds import Kind


@dataclass(frozen=True)
class KindSchema:
    """A kind of fact. ``stale_after`` is in days since it was last said or confirmed; None: it does not age."""

    kind: Kind
    meaning: str
    stale_after: int | None


@dataclass(frozen=True)
class Attribute:
    """Something a fact gives a value for. ``single``: one value at a time, a newer one ends the older."""

    name: str
    kind: Kind
    single: bool
    meaning: str
    example: str


KINDS: Mapping[Kind, KindSchema] = {
    schema.kind: schema
    for schema in (
        KindSchema(Kind.PROFILE, "Who the person is: name, place, work, plan, language.", 365),
        KindSchema(Kind.PREFERENCE, "What they like, dislike or prefer.", 365),
        KindSchema(
            Kind.INSTRUCTION,
            "How the assistant is to behave, in the person's own words; always in the prompt.",
            None,
        ),
        KindSchema(
            Kind.CONSTRAINT, "What must or must not be: allergies, limits, rules they live under.", 365
        ),
        KindSchema(Kind.PROJECT, "What they are working on, and what was decided in it.", 90),
        KindSchema(Kind.PLAN, "What they intend; ends at its date, or grows old within a month.", 30),
        KindSchema(Kind.EVENT, "What happened, with its time; the past does not grow old.", None),
    )
}

ATTRIBUTES: Sequence[Attribute] = (
    Attribute("name", Kind.PROFILE, True, "what the person is called", "Name is Lena"),
    Attribute("pronouns", Kind.PROFILE, True, "their pronouns", "Pronouns are they/them"),
    Attribute("birthday", Kind.PROFILE, True, "their date of birth or birthday", "Birthday is on 3 May"),
    Attribute("email", Kind.PROFILE, True, "their e-mail address", "E-mail is lena@example.com"),
    Attribute("language", Kind.PROFILE, True, "the language they want to be spoken to in", "Speaks German"),
    Attribute("timezone", Kind.PROFILE, True, "their time zone", "Timezone is Europe/Berlin"),
    Attribute("city", Kind.PROFILE, True, "where they live", "Lives in Leipzig"),
    Attribute("employer", Kind.PROFILE, True, "whom they work for now", "Works at Brandt Logistics"),
    Attribute("job_title", Kind.PROFILE, True, "what they work as", "Works as an operations lead"),
    Attribute("plan", Kind.PROFILE, True, "the subscription they are on", "Is on the enterprise plan"),
    Attribute("hobby", Kind.PREFERENCE, False, "what they do for pleasure", "Plays the cello"),
    Attribute("likes", Kind.PREFERENCE, False, "something they like", "Likes tea"),
    Attribute("dislikes", Kind.PREFERENCE, False, "something they dislike", "Dislikes long grammar tables"),
    Attribute("tool", Kind.PROFILE, False, "a tool they use", "Uses Windows 11"),
    Attribute("pet", Kind.PROFILE, False, "an animal they keep", "Has a dog named Rex"),
    Attribute("family", Kind.PROFILE, False, "somebody of their family", "Has two daughters"),
    Attribute("education", Kind.PROFILE, False, "where or what they learned", "Studied physics in Lund"),
    Attribute(
        "past_employer", Kind.PROFILE, False, "whom they worked for before", "Worked at Acme until 2019"
    ),
)

SINGLE_VALUED = frozenset(attribute.name for attribute in ATTRIBUTES if attribute.single)
KNOWN_ATTRIBUTES = frozenset(attribute.name for attribute in ATTRIBUTES)
