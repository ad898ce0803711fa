"""Family, pets, and what is said about other people: kept as theirs, and held as doubtful."""

import re

from memoryhub.llm.backends.rules.wording import Rule, proper, rx, short, thing, tidy

FAMILY = (
    "wife|husband|partner|spouse|girlfriend|boyfriend|fianc[ée]e?|son|daughter|kid|child|baby|mother|mum|mom|father|"
    "dad|brother|sister|twin|grandmother|grandma|grandfather|grandpa|aunt|uncle|cousin|niece|nephew"
)
_OTHERS = (
    "friend|best friend|colleague|coworker|co-worker|boss|manager|teammate|neighbou?r|roommate|flatmate|client|"
    "customer|therapist|doctor|teacher|assistant|cofounder|co-founder|intern|landlord|team lead|ex"
)
_CHILDREN = "(?:(?:eldest|oldest|youngest|younger|older|little|\\w+) )?(?:sons?|daughters?|kids?|child|children|baby|twins|boys?|girls?)"
_AGE = "(?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen)"
_PETS = "dog|cat|puppy|kitten|rabbit|hamster|parrot|horse|pony|turtle|tortoise|guinea pig|goldfish|snake|lizard|ferret|budgie|chicken"
_BREEDS = (
    "labrador|lab|greyhound|beagle|poodle|terrier|spaniel|retriever|shepherd|collie|dachshund|corgi|husky|bulldog|pug|boxer|"
    "schnauzer|whippet|rottweiler|dalmatian|chihuahua|mutt|rescue|tabby|siamese|maine coon|ragdoll|gecko|iguana|canary|"
    "cockatiel|cockatoo|gerbil|guinea-pig|hedgehog|hen|goat|donkey|mare|gelding|foal|alpaca|axolotl|chinchilla|rat|pig|"
    "sheep|llama|bunny|pup|kitty|border collie|bees"
)
ANIMAL = rf"(?:{_PETS}|{_BREEDS})"
_SPOUSE = (
    "gf|bf|hubby|missus|other half|better half|wife|husband|partner|spouse|girlfriend|boyfriend|fianc[ée]e?"
)
_CHILD = "son|daughter|kid|toddler|baby|stepson|stepdaughter|eldest|oldest|youngest|teenager|grandson|granddaughter|newborn|little one|twins|kids|children|boys|girls|sons|daughters|grandkids|grandchildren"
MANY = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|no|\d|twin|several|a couple of|a lot of)"
_PARENT = "mum|mom|dad|mother|father|parent|grandmother|grandfather|grandma|grandpa"
_THEY_DO = (
    r"(?:is|are|was|were|has|have|had|isn't|aren't|doesn't|don't|can't|won't|and i|goes?|go|likes?|loves?|hates?|wants?|needs?|works?|"
    r"starts?|started|just|will|turned|turns|got|gets|keeps?|lives?|came|who|plays?|eats?|refuses?|speaks?|takes?|has been|have been|"
    r"thinks|says|both|also|still|only|recently|never|always|does|do|made|bought|made|moved|broke|finished|graduated|sleeps?)"
)
_PERSON = r"(?P<value>(?-i:[A-Z][\w'-]+(?: [A-Z][\w'-]+)?))"
_SAYING = (
    r"(?P<does>is|isn't|is not|has|doesn't|does not|lives|works|likes|loves|hates|prefers|wants|needs|uses|speaks|"
    r"can't|cannot|won't|never|always|enjoys|plays|studies|moved|turned|turns|got|just got)"
)


def _family(pattern: str, says: str, attribute: str = "family", **more: object) -> Rule:
    return Rule("profile", rx(pattern), says, "", attribute, proper, **more)  # type: ignore[arg-type]


def without_article(value: str) -> str | None:
    """Who they are in at most six words, without an article."""
    return short(re.sub(r"^(?:an?|my|our|the) ", "", value, flags=re.I))


def _kin(pattern: str, says: str, attribute: str = "family", **more: object) -> Rule:
    return Rule("profile", rx(pattern), says, "", attribute, without_article, **more)  # type: ignore[arg-type]


# That somebody is there at all.
_MORE = (
    _family(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:have |had |got |adopted |welcomed )?(?:an?|our|my) (?:[\w-]+ ){{0,3}}?(?P<who>{_CHILD}|child|boy|girl),? (?:called |named )?{_PERSON}\b",
        "Has a {who} called {value}",
    ),
    _family(
        rf"{{MY}} (?:\w+ )?(?P<who>{FAMILY}|stepson|stepdaughter|grandson|granddaughter|niece|nephew),? (?:is (?:called|named) |named |called )?{_PERSON}(?=[.,;!?)('’]|$| {_THEY_DO}\b| (?:to|for|with|in|at|from|about|so|but)\b)",
        "Has a {who} called {value}",
    ),
    _kin(
        rf"(?:{{I}}|{{HAVE}}|{{MY}} (?:{_SPOUSE}),? (?:[\w-]+ )?and (?:i|me)){{ADV}} (?:have|got|have got|had|are raising|'re raising) (?P<value>(?:(?:{MANY} )(?:(?!had\b)[\w-]+ ){{0,3}}?)?(?:{_CHILD}|child|boy|girl|brothers?|sisters?|siblings|stepkids|(?:year|month)s?[- ]olds?))(?=[.,;!?:(]|$| (?:and|who|in|at|with|so|aged|under|now|from|but|that|called|named|to|\w+ing)\b| -| –)",
        "Has {value:one}",
    ),
    _kin(
        rf"{{HAVE}}{{ADV}} (?:got |had )?(?P<value>(?:(?:{MANY} )(?:[\w-]+ ){{0,3}}?)?(?:{_CHILD}|child|boy|girl|brothers?|sisters?|siblings|(?:year|month)s?[- ]olds?))(?=[.,;!?:(]|$| (?:and|who|in|at|with|so|aged|under|now|from|but|called|named)\b| -| –)",
        "Has {value:one}",
    ),
    _kin(
        rf"{{I}}{{ADV}} have [^,;!?\x00\n]{{3,50}}? and (?P<here>(?P<value>{MANY} (?:\w+ )?(?:{_CHILD}|child)))(?=[.,;!?(]|$| (?:and|who|so|but|to)\b)",
        "Has {value:one}",
    ),
    _kin(
        rf"{{I}}{{ADV}} (?:have|own|keep|got|have got|'ve got) [^,;!?\x00\n]{{3,50}}? and (?P<here>(?P<value>{MANY} (?:\w+ )?{ANIMAL}s?))(?=[.,;!?(]|$| (?:and|who|so|but|to)\b)",
        "Has {value:one}",
        "pet",
    ),
    _kin(
        r"{AM}{ADV} (?P<value>an only child|the (?:oldest|eldest|youngest|middle) (?:of \w+|child|sibling|one)|an? (?:identical )?twin|a triplet|an orphan|adopted|childless|a (?:grandmother|grandfather|grandparent|grandma|grandpa|stepmother|stepfather|stepmum|stepdad|godmother|godfather|widow|widower|newlywed)|newlyweds)\b",
        "Is {value}",
    ),
    _family(
        r"{CLAUSE}(?<=, )(?P<value>(?-i:[A-Z])[\w-]+)'s (?P<who>mum|mom|dad|mother|father|wife|husband|sister|brother|grandmother|grandfather|partner)(?=[.,;!]|$)",
        "Is {value}'s {who}",
    ),
    _kin(
        rf"{{CLAUSE}}the (?P<value>kids|twins|grandkids) (?!in\b|at\b|of\b|who\b)(?P<does>{_THEY_DO})\b",
        "Has {value:one}",
    ),
    _kin(
        rf"{{CLAUSE}}^(?P<value>(?:single |proud |new |busy |tired )?(?:{_PARENT}) of [\w -]{{1,30}}?) here\b",
        "Is {value}",
    ),
    _kin(
        rf"{{AM}}{{ADV}} (?P<value>(?:an? |the )?(?:\w+ )?(?:{_PARENT})(?: of| to) [\w -]{{1,30}}?)(?=[.,;!?(]|$| (?:and|who|in|with|so|but|working|living)\b)",
        "Is {value}",
    ),
    _kin(
        rf"{{AM}}{{ADV}} (?P<value>a (?:single|new|first[- ]time|expectant|working|solo|foster) (?:{_PARENT}))(?=[.,;!?(]|$| (?:and|who|in|with|so|but)\b)",
        "Is {value}",
    ),
    _kin(
        rf"{{AM}}{{ADV}} (?P<value>married|divorced|separated|widowed|engaged)(?: to [\w ]{{2,20}}?)? (?:with|and have|and got) (?P<more>[\w -]{{1,30}}?(?:{_CHILD}|child))\b",
        "Is {value} with {more}",
    ),
    _kin(
        r"{AM}{ADV} (?P<value>expecting(?: (?:our|my|a|twins)(?: [\w-]+){0,3}?)?)(?=[.,;!?(]|$| (?:in|on|this|next|and|so|at)\b)",
        "Is {value}",
    ),
    _kin(
        rf"{{MY}} (?P<value>(?:[\w-]+ ){{0,2}}?(?:{_CHILD}|\w+[- ](?:year|month|week)s?[- ]olds?(?: (?:son|daughter|twins|boy|girl))?))(?:,[^,]{{1,30}},)? (?P<does>{_THEY_DO})\b",
        "Has {value:one}",
    ),
    _kin(
        rf"{{MY}} (?P<value>(?:{_SPOUSE}|mother-in-law|father-in-law|in-laws|ex-wife|ex-husband)) (?!(?:said|says|told|asked|asks|thinks|or|and (?!i\b)|name|who|the)\b)(?P<does>\w+)",
        "Has {value:one}",
    ),
    _kin(
        rf"{{MY}} (?P<value>\w+[- ](?:year|month|week)s?[- ]old(?: (?:son|daughter|twins|boy|girl|grandson|granddaughter))?)\b(?! (?:car|laptop|phone|house|mac|pc|computer|account|app|system|{ANIMAL}))",
        "Has {value:one}",
    ),
    _kin(
        rf"(?:{{I}}|{{HAVE}}){{ADV}} (?:have|got|own|keep|adopted|rescued|bought|foster|look after|have got|breed) (?P<value>(?:{MANY} |some )?(?:[\w-]+ ){{0,3}}?{ANIMAL}s?)(?=[.,;!?:(]|$| (?:and|at home|who|that|which|now|named|called|so|but|in|with|from|since|last|this|to)\b| -| –)",
        "Has {value:one}",
        "pet",
    ),
    _kin(
        rf"{{HAVE}}{{ADV}} (?:got )?(?P<value>(?:{MANY} )(?:[\w-]+ ){{0,3}}?{ANIMAL}s?)(?=[.,;!?:(]|$| (?:and|at home|who|that|which|now|named|called|so|but|in|with|from)\b| -| –)",
        "Has {value:one}",
        "pet",
    ),
    _kin(
        rf"{{MY}} (?P<value>(?:[\w-]+ ){{0,3}}?{ANIMAL}s?)(?: (?-i:[A-Z]\w+))? (?P<does>{_THEY_DO}|\w+[^s\W]s|barks?|scratch(?:es)?|chews?|pulls?|limps?|threw|ate|weighs?)\b",
        "Has {value:one}",
        "pet",
    ),
)

RULES = (
    _kin(
        r"{MY} (?P<value>mother|father|mum|mom|dad|parents|grandmother|grandfather|grandma|grandpa|mother-in-law|father-in-law|brother|sister|niece|nephew)\b[^,;!?\x00\n]{0,40}? (?P<where>lives? with (?:me|us))\b",
        "{value} {where}",
    ),
    _family(
        rf"{{MY}} (?P<who>{FAMILY})(?:'s name is| is (?:called|named)|, named|,| named| called)? {_PERSON}(?=[.,;!]|$| (?:is|has|and|works|lives|likes|loves|who|will|was|just|turns|turned)\b)",
        "Has a {who} called {value}",
    ),
    _family(rf"i'm married to {_PERSON}", "Is married to {value}"),
    Rule(
        "profile",
        rx(
            r"{AM}{ADV}{NOT} (?P<value>married|engaged|divorced|single|widowed|pregnant)(?=[.,;!]|$| and\b| with\b| but\b| since\b)"
        ),
        "Is {value}",
        "Is not {value}",
        shape=tidy,
        dating="since",
    ),
    Rule(
        "profile",
        rx(
            r"(?:{I}|{HAVE}|{MY} (?:husband|wife|partner) and i){ADV} (?:have|got|have got) (?P<value>(?:an?|one|two|three|four|five|six|\d|twin) (?:\w+ ){0,2}(?:kids?|children|child|sons?|daughters?|boys?|girls?|brothers?|sisters?|siblings|grandchildren|twins))"
        ),
        "Has {value:one}",
        "",
        "family",
        without_article,
    ),
    _family(
        rf"(?:{{I}} have|{{I}} got|{{I}} adopted|{{HAVE}}(?: got)?|{{I}} just (?:got|adopted)) an? (?:[\w-]+ ){{0,3}}?(?P<who>{ANIMAL}) (?:named|called) {_PERSON}",
        "Has a {who} called {value}",
        "pet",
    ),
    _family(
        rf"{{MY}} (?:[\w-]+ ){{0,3}}?(?P<who>{ANIMAL})(?:'s name is| is (?:called|named)|, named|,| named| called)? {_PERSON}(?=[.,;!?)(]|$| (?:is|has|and|likes|loves|who|will|was|just|gets?|got|needs?|won't|can't|keeps?|hates?|eats?|sleeps?|barks?|started|refuses|with|in|to|for|so|but|from)\b)",
        "Has a {who} called {value}",
        "pet",
    ),
    Rule(
        "profile",
        rx(
            rf"(?:{{I}} have|{{I}} own|{{I}} adopted|{{HAVE}}(?: got)?) (?P<value>(?:an?|one|two|three|four|five|\d) (?:[\w-]+ ){{0,3}}?{ANIMAL}s?)(?=[.,;!:(]|$| (?:and|at home|who|that|which|now|named|called|so|but|in|since)\b| -| –)"
        ),
        "Has {value:one}",
        "",
        "pet",
        without_article,
    ),
    Rule(
        "profile",
        rx(
            rf"{{MY}} (?P<value>{_CHILDREN}) (?P<does>(?:just |has |have |is |are )?(?:turns?|turned|turning) {_AGE}|(?:is|are) {_AGE}(?= (?:and|years?|now|today|this|next|on|in)\b|[.,;!]|$)"
            r"|(?:goes|go) to|attends?|(?:was|were) born)(?P<more> [^,;!?\x00\n]{2,60}?)?{STOP}"
        ),
        "{value} {does}{more}",
        "",
        "family",
        short,
    ),
    *_MORE,
    Rule(
        "profile",
        rx(rf"{{MY}} (?P<who>(?:{FAMILY}|{_OTHERS})(?:,? (?-i:[A-Z][\w'-]+))?),? {_SAYING} {{THING}}"),
        "{who} {does} {value}",
        shape=thing,
        about_other=True,
    ),
)
