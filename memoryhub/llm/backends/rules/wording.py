"""The small language of the rules: a pattern with named parts, and the sentence that is stored for it."""

import re
import zoneinfo
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from memoryhub.llm.backends.rules import gazetteer

Dating = Literal["none", "since", "until", "when"]
Shape = Callable[[str], str | None]

_UPPER = r"[^\W\d_a-zß-öø-ÿ]"
# "I" is the speaker, in no name.
_NAME_WORD = rf"(?!I\b){_UPPER}[\w'&+.#/-]*"
_LINK = r"(?:of|de|da|do|del|della|di|la|le|van|von|der|den|the|am|an|upon|and|&)"
_PLACE_LINK = _LINK.replace("|and|&", "")
# A name as written: capitals, joined by small words ("Rio de Janeiro"). Or up to two small words that end a clause,
# for those who write without capitals; those are checked afterwards.
_PROPER = rf"(?-i:{_NAME_WORD}(?: (?:{_LINK} )?{_NAME_WORD}){{0,4}})"
# Two places joined by "and" are two.
_PLACED = rf"(?-i:{_NAME_WORD}(?: (?:{_PLACE_LINK} )?{_NAME_WORD}){{0,4}})"
_SMALL = r"(?-i:[a-z][\w'-]+(?: [a-z][\w'-]+)?)(?=[.,;!?)]|$| (?:now|and|but|with|since|for|as|these)\b)"
_WHEN = (
    r"(?:only |just |now |due |already |set for |scheduled for )*(?:(?:on|in|by|at|for|before|this|next|until|the|end of) |"
    r"\d|today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d)"
)
_STOP = (
    r"(?=[.,;!?()\x00\n]| [-–—]|$| (?:and|but|so|or) (?:i|we|my|our|i'm|we're|he|she|they|it|that|the|please|then|now|everyone|everybody|nobody|"
    r"none|people|there|can|could|would|do|don't|does|is|are|has|had|also|just|\w+ of us)\b| "
    r"(?:because|since|although|though|while|when|whenever|if|unless|until|which|who|whereas|as (?:i|we|it)\b|"
    r"but|so|and (?:(?:coming|going|flying|returning|staying|leaving|moving|driving) (?:back|on|to|in|until|home|over)|[a-z]{2,}ed|hate|love|like|dislike|prefer|never|always|work|live|am|have|had|need|want|would|can|can't|cannot|could|will|won't|"
    r"might|must|should|was|were|been|get|got|keep|moved|joined|started|bought|commute|teach|study|run|play|read|drive|use|share|manage|sing|speak|own|rent|spend|cook|currently|usually|"
    r"mostly|recently|looking|trying|hoping|planning|thinking|wondering|what|how|where|which|when|why))\b)"
)

LANGUAGES = (
    "english|german|french|spanish|portuguese|brazilian portuguese|italian|dutch|polish|russian|ukrainian|czech|"
    "slovak|hungarian|romanian|greek|turkish|arabic|hebrew|hindi|urdu|bengali|tamil|telugu|punjabi|mandarin|"
    "cantonese|chinese|japanese|korean|vietnamese|thai|swedish|norwegian|danish|finnish|icelandic|catalan|basque|"
    "welsh|irish|swahili|farsi|persian|indonesian|malay|tagalog|croatian|serbian|bulgarian|estonian|latvian|"
    "lithuanian|afrikaans|yoruba|igbo|amharic"
)

# Names that look like places or companies and are neither.
TOOLS = (
    "vim|neovim|emacs|vs ?code|visual studio code|pycharm|intellij|jira|linear|notion|obsidian|slack|teams|zoom|figma|"
    "git|github|gitlab|bitbucket|docker|kubernetes|terraform|ansible|postgres|postgresql|mysql|sqlite|redis|mongodb|"
    "elasticsearch|kafka|rabbitmq|django|flask|fastapi|rails|react|vue|svelte|angular|next\\.?js|node|python|rust|go|"
    "golang|java|kotlin|swift|typescript|javascript|php|ruby|elixir|scala|haskell|excel|sheets|google sheets|sap|"
    "salesforce|hubspot|zendesk|stripe|shopify|wordpress|aws|azure|gcp|linux|ubuntu|debian|fedora|arch|macos|windows|"
    "tmux|zsh|fish|latex|markdown|airtable|trello|asana|snowflake|dbt|airflow|spark|tableau|power ?bi|grafana|"
    "prometheus|datadog|sentry|jenkins|homebrew|firefox|chrome|safari|htmx|graphql|jquery|celery|pandas|numpy|"
    "pytest|jest|npm|yarn|pnpm|webpack|vite|bash|powershell|nginx|k8s|helm|argocd|circleci|cypress|selenium|playwright|heroku|netlify|"
    "vercel|supabase|firebase|dynamodb|mariadb|sql server|clickhouse|bigquery|databricks|looker|metabase|quickbooks|xero|freshbooks|"
    "clickup|todoist|evernote|dropbox|google drive|google docs|onedrive|outlook|gmail|thunderbird|whatsapp|telegram|discord|"
    "mattermost|confluence|sharepoint|microsoft teams|powerpoint|photoshop|illustrator|lightroom|indesign|canva|blender|autocad|sketchup|"
    "solidworks|ableton|premiere pro|davinci resolve|unreal|godot|laravel|symfony|spring boot|\\.net|c\\+\\+|c#|matlab|stata|spss|"
    "rstudio|jupyter|pytorch|tensorflow|ollama|copilot|sublime text|xcode|android studio|nixos|chromeos|ios|android|zapier|n8n|"
    "mailchimp|magento|squarespace|webflow|drupal|joomla|paypal|freshdesk|intercom|miro|loom|github actions|opensuse|freebsd|"
    "iphone|ipad|macbook|imac|chromebook|thinkpad|apple watch|kindle|raspberry pi|mac|apple music|spotify|google calendar|icloud|bitwarden|1password|strava|anki|duolingo|ynab|lightspeed|toast pos|pipedrive"
)
_TOOL = re.compile(rf"(?:{TOOLS})(?: \d[\d.]*)?", re.I)

PARTS = {
    "I": r"\b(?:i|we)",
    "AM": r"\b(?:i am|i'm|im|i are|we are|we're)",
    "HAVE": r"\b(?:i have|i've|ive|we have|we've)",
    "DONT": r"(?:do not|don't|dont)",
    "CANT": r"(?:can't|cant|cannot|can not|am unable to)",
    "MY": r"\b(?:my|our)",
    # No text: the match begins where a clause does.
    "CLAUSE": r"(?:)",
    "ADV": r"(?: (?:now|currently|actually|just|also|still|already|really|mostly|usually|recently|finally|officially|"
    r"personally|absolutely|finally|sadly|both|generally|much|strongly|definitely|truly|quite|only))*",
    "NOT": r"(?P<neg> not| no longer| never)?",
    "NO": r"(?P<neg> (?:do not|don't|dont|no longer|never))?",
    "PROPER": _PROPER,
    "PLACE": rf"(?P<value>{_PLACED}(?:, {_PLACED})?|{_SMALL})",
    "NAMED": rf"(?P<value>{_PROPER}|{_SMALL})",
    "THING": rf"(?P<value>[^\s.,;!?\x00](?:[^,;!?\x00\n]){{1,110}}?){_STOP}",
    "STOP": _STOP,
    "WHEN": _WHEN,
    "PROPERVALUE": rf"(?P<value>{_PROPER})",
}
_PART = re.compile(r"\{([A-Z]+)\}")
_TAIL = re.compile(
    r"[\s.,:;!–—-]+$| (?:now|right now|at the moment|these days|currently|nowadays|too|as well|anymore|any more|btw|"
    r"by the way|though|again|lately|recently|actually|already|still|please|today|yet|at all|so much|very much|"
    r"a lot|the most|best|instead|tbh|lol|haha|thanks|thank you|:\))$",
    re.I,
)
_NO_VALUE = re.compile(
    r"(?:it|that|this|them|these|those|you|your|he|she|they|him|her|there|here|what|how|when|where|everything|"
    r"something|anything|nothing|to|the idea|the way|one|ones|both|each other|being|a lot|some|so)\b",
    re.I,
)


#: Not where something points at what lies before the speaker: ahead of what is read.
POINTS = (
    r"(?![^,;!?\x00\n]{0,90}\b(?:in fear|it|this|that|these|those|them|you|your|here|error|errors|warning|file|files|button|page|screen|menu|link|script|function|table|column|row|query|code|password|login|parcel|package|refund|"
    r"order number|ticket|invoice|app|website|message|notification|link|settings|tab|browser|output|log|logs|string|array|list|question|problem|issue|bug|above|below|following|attached|attachment|chapter|paragraph|sentence|slide|"
    r"today|tonight|right now|at the moment|this morning|anyone|someone|somebody|something)\b)"
)


def words(text: str) -> frozenset[str]:
    """The words of ``text``."""
    return frozenset(text.split())


def rx(pattern: str) -> re.Pattern[str]:
    """``pattern`` with the parts in ``{CAPITALS}`` filled in; case is ignored outside names."""
    return re.compile(_PART.sub(lambda match: PARTS[match[1]], pattern), re.I)


def tidy(value: str) -> str | None:
    """``value`` without what trails it; ``None`` when it stands for nothing by itself."""
    before = None
    while before != value:
        before, value = value, _TAIL.sub("", value)
    value = value.strip("\"' ")
    return None if not value or _NO_VALUE.match(value) else value


def thing(value: str) -> str | None:
    """A thing of at most twelve words."""
    tidied = tidy(value)
    return tidied if tidied and len(tidied.split()) <= 12 else None


def short(value: str) -> str | None:
    """A thing of at most six words."""
    tidied = tidy(value)
    return tidied if tidied and len(tidied.split()) <= 6 else None


_NOT_NAMES = words(
    "a an the my your his her our their this that some any fear peace love trouble charge need town bed work home "
    "school hospital prison jail person general fact case time order touch support sales marketing here there it "
    "constant constantly small big nice large house flat apartment room city country countryside state us me you "
    "very really so not just almost sure sorry happy glad fine ok okay good great well back done ready new old "
    "monday tuesday wednesday thursday friday saturday sunday i we one two three"
)


@lru_cache(maxsize=1)
def cities() -> dict[str, str]:
    """Lower-case city names of the time zone database, each with its zone."""
    zones = (
        zone
        for zone in zoneinfo.available_timezones()
        if "/" in zone and not zone.startswith(("Etc", "posix", "US", "Canada", "Brazil", "Chile", "Mexico"))
    )
    return {zone.rsplit("/", 1)[1].replace("_", " ").lower(): zone for zone in sorted(zones)}


def proper(value: str) -> str | None:
    """A name: capitals as written, or a known city, or small words that are nothing else, which get capitals."""
    tidied = tidy(value)
    if tidied is None:
        return None
    parts = tidied.split()
    if tidied[0].isupper() and tidied.lower() not in _NOT_NAMES:
        return tidied.rstrip("'")
    if is_town(tidied) or not _NOT_NAMES.intersection(word.lower() for word in parts):
        return tidied.title().replace("'S", "'s")
    return None


def is_town(value: str) -> bool:
    """A town, state or country that is known by this name."""
    name = value.lower().removeprefix("the ")
    return name in gazetteer.PLACES or name in cities()


def is_guessed_name(value: str) -> bool:
    """Written without a capital and no city we know: it may be no name at all."""
    return value[:1].islower() and not is_town(value)


def place(value: str) -> str | None:
    """A name that is not known for something else."""
    name = proper(value)
    return None if name is None or _TOOL.fullmatch(name) else name


def course(value: str) -> str | None:
    """Where something goes, in at most fourteen words: it may begin with a preposition."""
    before = None
    while before != value:
        before, value = value, _TAIL.sub("", value)
    return value.strip() if 0 < len(value.split()) <= 14 else None


def as_said(value: str) -> str | None:
    """The value untouched."""
    return value.strip() or None


@dataclass(frozen=True)
class Rule:
    """``pattern`` names ``value`` and, where it may be denied, ``neg``; other groups may stand in the templates.

    ``says`` and ``says_not`` are templates; a denied match without ``says_not`` is dropped. ``shape`` brings the
    value into form or refuses it. ``dating`` says how a date in the sentence bears on the fact. With
    ``split`` a list of values becomes a fact for each.
    """

    kind: str
    pattern: re.Pattern[str]
    says: str
    says_not: str = ""
    attribute: str | None = None
    shape: Shape = thing
    dating: Dating = "none"
    doubtful: bool = False
    needs_date: bool = False
    named: bool = False
    about_other: bool = False
    split: bool = False
    #: What is said of somebody else, and of the speaker only where they tell of themself.
    aside: bool = False
    #: The speaker must be named, not only understood.
    spoken: bool = False
    #: Words of which the sentence must hold one, where the pattern could begin anywhere; empty: it is always tried.
    cues: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Found:
    """What one rule found in one sentence; ``start`` and ``end`` are places in the turn's text."""

    kind: str
    attribute: str | None
    value: str | None
    statement: str
    start: int
    end: int
    doubtful: bool
    dating: Dating = "none"
    needs_date: bool = False
    about_other: bool = False
    #: Told by the way: it stands beside what the same words tell otherwise.
    aside: bool = False
    #: One of several that the same words list.
    listed: bool = False
