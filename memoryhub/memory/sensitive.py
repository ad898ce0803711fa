"""Special categories of personal data (GDPR Art. 9(1)), recognised by words in five languages.

Words are a coarse net: they are meant to catch plain statements, and to err towards catching. Whether such facts
are kept is the tenant's policy, and by default they are not.
"""

import re
from collections.abc import Mapping

_WORDS: Mapping[str, str] = {
    "health": (
        r"allerg\w*|diabet\w*|asthma\w*|cancer|tumou?r|hiv|aids|epilep\w*|depress(?:ed|ion|iv)\w*|anxiety disorder"
        r"|bipolar|schizophren\w*|autis\w*|adhd|pregnan\w*|miscarriage|chemo\w*|insulin|lithium|antidepressant\w*"
        r"|migraine\w*|celiac|coeliac|lactose intoleran\w*|diagnos\w*|disabilit\w*|wheelchair|medication|therap(?:y|ist)"
        r"|surgery|blood pressure|krank\w*|schwanger\w*|krebs|behinder\w*|medikament\w*|enceinte|maladie|handicap\w*"
        r"|traitement médical|embarazad\w*|enfermedad|cáncer|discapacidad|过敏|糖尿病|癌症|怀孕|抑郁|残疾|哮喘"
    ),
    "religion": (
        r"christian\w*|catholic\w*|protestant\w*|orthodox church|muslim\w*|islam\w*|jewish|judaism|hindu\w*|buddhis\w*"
        r"|sikh\w*|atheis\w*|go to (?:church|mosque|synagogue)|ramadan|katholi\w*|evangelisch\w*|musulman\w*|catholique\w*"
        r"|juif|juive|católic\w*|musulmán\w*|judí[oa]|基督徒|穆斯林|佛教徒|天主教"
    ),
    "politics": (
        r"i vote[ds]? (?:for|against)|votes? (?:for|against) the \w+ party|member of the \w+ party|democrats?|republicans?"
        r"|socialist\w*|communist\w*|conservative party|labour party|ich wähle|parteimitglied|je vote pour|voto por|我投票给|党员"
    ),
    "union": r"trade union\w*|labou?r union\w*|union (?:member|rep)\w*|gewerkschaft\w*|syndiqué\w*|sindicato|工会",
    "sexuality": (
        r"\bgay\b|lesbian\w*|bisexual\w*|homosexual\w*|transgender|transsexual\w*|queer|sexual orientation|schwul|lesbisch\w*"
        r"|homosexuel\w*|lesbienne|同性恋|双性恋"
    ),
    "ethnicity": (
        r"my (?:ethnicity|race)|ethnic (?:origin|background|group)|\broma\b people|ethnische herkunft|origine ethnique"
        r"|origen étnico|民族是|族裔"
    ),
    "biometrics": r"fingerprint\w*|dna test\w*|genetic test\w*|retina scan|face id template|fingerabdruck|empreinte digitale|指纹|基因检测",
    "crime": r"convicted of|criminal record|in prison|on parole|arrested for|vorbestraft|casier judiciaire|antecedentes penales|犯罪记录",
}
_PATTERNS = {name: re.compile(rf"(?<![A-Za-z])(?:{words})", re.I) for name, words in _WORDS.items()}


def categories(text: str) -> tuple[str, ...]:
    """The special categories that a text seems to be about, in a fixed order."""
    return tuple(name for name, pattern in _PATTERNS.items() if pattern.search(text))
