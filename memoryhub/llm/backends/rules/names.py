"""How somebody introduces themself: "Marcus here from Tellwood Dental", "it's Ana", "people call me Jo"."""

from memoryhub.llm.backends.rules.wording import Rule, is_town, place, proper, rx, tidy, words

_HELLO = (
    r"(?:(?:hi|hey|hello|heya|hiya|hallo|greetings|good (?:morning|afternoon|evening|day)|morning|evening|dear|thanks|"
    r"quick intro|yes|ok|okay|oh|and|also|so|btw|by the way)(?: there| all| team| everyone| folks| again| support)?[,!.:]? (?:- |– )?)*"
)
_GIVEN = r"(?-i:(?!I['’ ]|I$)[A-Z][\w'’-]+(?: (?:de |van |von |al-|el )?[A-Z][\w'’-]+){0,2})"
_NAME = rf"(?P<value>{_GIVEN})"
_COMPANY = r"(?:the |a (?:small |little |local )?(?:company|startup|firm|shop|studio|agency|clinic|school) called )?(?P<value>{PROPER})"
_CALLED = (
    r"(?:{MY} friends(?: all)? call me|(?:everyone|everybody|people|most people|folks|friends|they all)(?: here| just| always| usually)? calls? me|"
    r"(?:(?:please|just|you can|you may|feel free to|but)(?: just)? )+call me|call me|i (?:just )?go by|i(?:'m| am) (?:usually |mostly )?(?:called|known as)|"
    r"(?:i prefer|i like|i'd prefer|i'd like|i would like) (?:to be called|being called))"
)

_NOT_CALLED = words(
    "when if at back later tomorrow today asap crazy old now soon on tonight by anytime again before after once "
    "whatever stupid paranoid biased lazy picky"
)
_NO_PERSON_ENDINGS = ("ish", "ese", "ian", "ing", "ist")
_NO_PERSON = words(
    "german french dutch greek swiss american african european asian jewish muslim christian catholic hindu vegan "
    "here back sorry good fine ok okay done happy new not just still so very also glad sure ready late sick tired "
    "curious interested on using in at from the a an monday friday allergic based currently unable same "
    "nothing everything everyone everybody nobody something over right newbie noob user users developer dev question "
    "quick issue issues problem error yes no first mom mum dad teacher nurse student customer beginner long short only "
    "me again weather work works help stuck lost confused vegetarian parent admin owner manager engineer support windows mac "
    "linux more less up down out there it this that these those what who how why where when all both any some "
    "thursday tuesday wednesday saturday sunday january february march april june july august september october november december"
)


def is_no_person(value: str) -> bool:
    """A word that follows "I'm" and is no name."""
    parts = value.lower().split()
    return any(word in _NO_PERSON for word in parts) or parts[0].endswith(_NO_PERSON_ENDINGS)


def person(value: str) -> str | None:
    """A person's name of at most four words."""
    name = proper(value)
    return name if name and len(name.split()) <= 4 and not name.isdigit() else None


def introduced(value: str) -> str | None:
    """A name that only its place in the sentence tells for one."""
    return None if is_no_person(value) else person(value)


def company(value: str) -> str | None:
    """Where somebody says they are from, when it is no town."""
    name = place(value)
    return None if name is None or is_town(name) else name


def town(value: str) -> str | None:
    """Where somebody says they are from, when it is a town we know."""
    name = tidy(value)
    return name if name and name[:1].isupper() and is_town(name) else None


def _name(pattern: str, says: str = "Name is {value}", **more: object) -> Rule:
    more = {"shape": introduced} | more
    return Rule("profile", rx(pattern), says, "", "name", **more)  # type: ignore[arg-type]


_HERE_FROM = rf"{{CLAUSE}}^{_HELLO}(?:(?:this is|it's|its|i'm|i am) )?{_GIVEN}(?:(?: here|,)?,? (?:from|over at)| here,? (?:at|with)) (?:accounts? at |support at |the \w+ team at )?"

RULES = (
    _name(
        r"{MY} (?:full |first |real |actual )?name(?: is|'s|:) {NAMED}(?![\w'-])",
        shape=person,
        named=True,
    ),
    _name(rf"{{CLAUSE}}^{_HELLO}(?:the )?name(?:'s| is|:) {_NAME}(?=$|[,.!]| and\b| from\b)"),
    _name(
        rf"{{CLAUSE}}^{_HELLO}(?:i'm|i am|im|this is|it's|its) {_NAME}(?=$|[,.!(]| (?:here|again|speaking)\b| from (?:(?-i:[A-Z])|the\b|a\b|our\b)| at (?-i:[A-Z])| with (?-i:[A-Z])| and i\b| \(| - | – )"
    ),
    _name(rf"{{CLAUSE}}^{_HELLO}{_NAME} here(?=$|[,.!:]| from\b| at\b| with\b| again\b| and\b| -| –)"),
    _name(rf"{{CLAUSE}}^{_HELLO}{_NAME} (?:from|at) (?-i:[A-Z])[\w' &]{{1,30}} here\b"),
    _name(
        rf"{{CLAUSE}}{_CALLED} (?P<value>{_GIVEN}|(?-i:[a-z]+)(?=[.,!]|$))",
        "Goes by {value}",
        shape=lambda value: None if value.lower() in _NOT_CALLED else person(value),
        named=True,
        cues=words("call calls called go known"),
    ),
    _name(
        rf"{{CLAUSE}}(?:but )?you (?:can|may) (?:just )?(?:write|say|use|put) {_NAME}(?=[.,!]|$)",
        "Goes by {value}",
        cues=words("you"),
    ),
    _name(
        rf"{{CLAUSE}}(?:but )?(?:everyone|everybody|people|most people|friends|{{MY}} friends|{{MY}} family)(?: just| always| mostly| usually)? (?:says?|uses?|writes?|shortens? it to) {_NAME}(?=[.,!]|$)",
        "Goes by {value}",
        cues=words("say says use uses write writes shorten shortens"),
    ),
    Rule(
        "profile",
        rx(rf"{{CLAUSE}}^{_HELLO}(?:this is|it's|its|i'm|i am) {_GIVEN},? (?:at|with|over at) " + _COMPANY),
        "Works at {value}",
        "",
        "employer",
        company,
        named=True,
    ),
    Rule("profile", rx(_HERE_FROM + _COMPANY), "Works at {value}", "", "employer", company, named=True),
    Rule("profile", rx(_HERE_FROM + r"{PLACE}"), "Lives in {value}", "", "city", town, named=True),
)
