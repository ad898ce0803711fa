"""The last resort: whatever the speaker says of themself with a verb or noun that no rule knows.

Open to any word but those by which people speak of the moment: what they see, try, need, ask for and send. The speaker must
be named, and nothing may point at what lies before them ("it", "this", "the file").
"""

from memoryhub.llm.backends.rules.happenings import LATELY
from memoryhub.llm.backends.rules.wording import POINTS, Rule, course, rx

_MOMENT = (
    "am|are|was|were|be|been|is|do|does|did|don't|dont|didn't|can|can't|cannot|could|couldn't|will|won't|would|wouldn't|should|shouldn't|may|might|must|mustn't|shall|ought|had|have|has|haven't|hadn't|"
    "need|needed|want|wanna|wanted|wish|hope|try|tried|see|saw|get|got|keep|know|knew|think|thought|guess|suppose|believe|mean|meant|feel|felt|find|found|hear|heard|notice|noticed|look|looked|seem|appear|"
    "understand|remember|forget|forgot|realise|realize|wonder|ask|asked|say|said|tell|told|call|called|ping|contact|contacted|write to|wrote|email|emailed|message|text|texted|reply|send|sent|receive|received|"
    "click|press|tap|open|opened|log|sign|enter|select|submit|upload|download|install|restart|reboot|reset|refresh|scroll|plug|connect|type|paste|copy|attach|run into|hit|encounter|face|experience|lose|lost|miss|"
    "fail|break|crash|end|happen|wait|expect|request|require|order|ordered|return|cancel|claim|complain|report|apologi[sz]e|thank|appreciate|agree|disagree|doubt|bet|swear|promise|suspect|assume|imagine|insist|"
    "recommend|suggest|mention|gather|figure|sound|care|mind|regret|trust|like|love|hate|enjoy|prefer|dislike|let|start|stop|begin|began|go|goes|went|come|came|put|set|turn|make sure|give|gave|show|pay|paid|buy|bought|"
    "change|changed|update|add|added|remove|delete|create|created|move|use|used|take it|took|made|make|check|checked|fill|followed|follow|leave|left|pick|picked|choose|chose|decide|read|stare|sit here|stand here|just|already|also|"
    "even|really|still|now|then|actually|never|always|only|not|no|both|all|and|or|to|in|on|at|too|as|so|usually|often|sometimes|currently|finally|recently|totally|literally|honestly|definitely|"
    "who|that|which|the|a|an|my|our|your|with|for|but|cant|wont|gonna|gotta|kinda|lol|quit|turned|became|broke|told|met|spent|grew|drew|flew|drove|fell|won|wore|ate|drank|slept|spoke|taught|caught|held|stood|sang|swam|rode|rose|"
    "ran|built|sold|cut|hurt|let|cost|shut|split|spread|bring|brought|fix|convert|solve|debug|fetch|parse|pass|call|compile|push|merge|commit|deploy|execute|query|render|import|export|load|loop|define|declare|return|print|iterate|test"
)
_NO_ONE = r"(?!bit\b|little\b|lot\b|few\b|while\b|couple\b|long|complete mess|mess\b|idiot|fool|mistake|problem|issue|question|fan\b|user\b|customer\b|new (?:user|customer)|paying|subscriber|big fan|huge|admin\b|loss\b|hurry|same\b|one (?:asking|who asked)|one paying|only one (?:getting|seeing|having)|member of your|step|minute|second|hour|day|week|month|year|middle|way\b|point|opposite|victim|kind of|sort of|type of|type\b)"
_NOW = r"(?<! now)(?<! yet)(?<! today)(?<! again)"


def told(value: str) -> str | None:
    """At least two words, which can be understood by themselves."""
    said = course(value)
    return said if said and " " in said else None


def _open(kind: str, pattern: str, says: str, **more: object) -> Rule:
    more = {"shape": told, "dating": "since", "spoken": True} | more
    return Rule(kind, rx(pattern), says, **more)  # type: ignore[arg-type]


RULES = (
    _open(
        "profile",
        rf"{{I}}(?: also| both| all| still| mostly| mainly| currently| now| usually| normally| sometimes| often| always| only| actually)* (?P<value>(?!(?:{_MOMENT})\b)(?!\w+(?:ed|ly|'\w+)\b)(?-i:[a-z]+) {POINTS}[^,;!?\x00\n]{{3,90}}?){_NOW}{{STOP}}",
        "{value:third}",
    ),
    _open(
        "profile",
        rf"{{AM}}{{ADV}} (?P<value>(?:an?|the|half|one of) {_NO_ONE}{POINTS}[^,;!?\x00\n]{{3,80}}?){_NOW}{{STOP}}",
        "Is {value}",
    ),
    _open(
        "profile",
        rf"{{AM}}{{ADV}} (?P<value>(?:up (?:at|until|from)|out (?:of the house|at work)|home (?:by|from|after|alone|most)|away (?:most|every|on)|in bed by|off (?:on|every)|at (?:work|home|the \w+|school|university) (?:until|from|on|every|most|all)|alone|one of|in (?:a|the) (?:[\w-]+ )?(?:band|choir|orchestra|club|team|union|relationship|wheelchair|flatshare|rented flat|book club)|on (?:parental|maternity|paternity|sick|unpaid) leave) {POINTS}[^,;!?\x00\n]{{2,70}}?){_NOW}{{STOP}}",
        "Is {value}",
    ),
    _open(
        "profile",
        rf"{{MY}} (?P<value>(?:\w+ )?(?:house|flat|apartment|cabin|cottage|garden|balcony|kitchen|bathroom|bedroom|living room|office|studio|workshop|school|village|street|neighbou?rhood|building|company|firm|shop|farm|car|van|bike|boat|team|department|class|band|choir|club|family|household|commute|job|work|degree|course|oven|budget year|roof|windows?|terrace|landlord|company car|salary|schedule) (?:is|are|has|have|only|faces|holds|seats|runs on|doesn't have|does not have|fits|sits|lies|speaks?|makes|sells|exports|produces|belongs|consists|comes from|moved|includes|covers|takes|gets|pays|closes|opens)\b "
        r"(?!(?:broken|leaking|making|not working|dead|stuck|down|slow|frozen|gone|failing|refusing|acting|losing|a mess|too|so|being|showing|asking|very|really|great|nice|fine|cold|hot|dirty|noisy|damp|late|missing|wrong|over|been|stopped|started|no longer|still|an? (?:problem|issue|leak|crack|hole|bug|strange|weird|flat tyre|dent))\b)"
        rf"{POINTS}[^,;!?\x00\n]{{3,70}}?){_NOW}{{STOP}}",
        "{value}",
    ),
    _open(
        "event",
        rf"{{I}}(?: both| finally| also| only| just| all)* (?P<value>(?!(?:{_MOMENT}|clicked|pressed|tapped|logged|signed|entered|selected|submitted|uploaded|downloaded|installed|restarted|refreshed|plugged|connected|typed|attached|replied|waited|"
        rf"expected|requested|required|returned|cancelled|claimed|complained|reported|upgraded|updated|switched|subscribed|renewed|registered|ordered|purchased|booked|charged|needed|used to|started getting|stopped working|noticed|followed|removed|deleted|exported|imported|pushed|merged|deployed|migrated)\b)"
        rf"(?:\w+ed|met|spent|fell|won|ran|built|sold|hurt|grew|taught|drove|flew|rode|swam|broke|became|lost|bought|went|began|left|gave up|took up|had) {POINTS}[^,;!?\x00\n]{{3,80}}? {LATELY}){{STOP}}",
        "{value}",
        dating="when",
    ),
)
