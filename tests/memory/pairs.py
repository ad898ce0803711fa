"""Pairs of statements of one person, the second said a month after the first, in five languages, with what is right.

``C`` confirm, ``S`` supersede, ``X`` coexist, ``K`` conflict (said at the same moment). A value after ``=`` is what
the extractor gives for the attribute. Written for MemoryHub, before the rules were run on them.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """One pair. ``kind`` and ``attribute`` are the same for both; values are empty where there is no attribute."""

    language: str
    expected: str
    kind: str
    attribute: str
    before: str
    before_value: str
    after: str
    after_value: str


def _lines(language: str, table: str) -> list[Pair]:
    pairs = []
    for line in table.strip().splitlines():
        expected, kind, attribute, before, after = (part.strip() for part in line.split("|"))
        (one, _, one_value), (two, _, two_value) = before.partition("="), after.partition("=")
        pairs.append(
            Pair(
                language,
                expected,
                kind,
                attribute,
                one.strip(),
                one_value.strip(),
                two.strip(),
                two_value.strip(),
            )
        )
    return pairs


_EN = """
S | profile | plan | Is on the free plan = free | Is on the enterprise plan = enterprise
C | profile | plan | Is on the free plan = free | is on the FREE plan. = Free
S | profile | plan | Is on the free plan = free | Is not on the free plan = free
X | profile | plan | Is on the free plan = free | Is not on the team plan = team
S | profile | city | Lives in Whitefield = Whitefield | Lives in Electronic City = Electronic City
S | profile | timezone | Timezone is Europe/Berlin = Europe/Berlin | Timezone is Asia/Tokyo = Asia/Tokyo
S | profile | name | Name is Tom = Tom | Name is Thomas = Thomas
X | profile | | Works at X as CTO | Runs the GitHub organisation of X
X | preference | likes | Likes tea = tea | Likes coffee = coffee
S | preference | likes | Likes tea = tea | Does not like tea = tea
C | preference | likes | Likes tea = tea | likes tea = tea
X | project | | Ticket 55102 is open | Ticket 55103 is open
S | project | | Ticket 55102 is open | Ticket 55102 is not open
S | constraint | | Production deployment is allowed | Production deployment is not allowed
X | constraint | | Production deployment is allowed | Staging deployment is not allowed
X | constraint | | The limit is 5 MB | The limit is 5 GB
X | constraint | | Budget is 500 euros | Budget is 500 dollars
S | instruction | | Use bash | Never use bash
S | instruction | | Always use PowerShell, never bash | Always use bash, never PowerShell
S | instruction | | Answer in English | Answer in German
X | instruction | | Answer in English | Always show the source
S | instruction | | Keep answers short | Give long answers
X | profile | pet | Has a dog named Rex = Rex | Has a cat named Mia = Mia
X | event | | Went to Paris in May 2024 | Went to Paris in May 2025
K | profile | plan | Is on the free plan = free | Is on the pro plan = pro
K | constraint | | Deploys on Fridays are allowed | Deploys on Fridays are not allowed
"""
_DE = """
S | profile | plan | Ist im kostenlosen Tarif = kostenlos | Ist im Enterprise-Tarif = Enterprise
C | profile | plan | Ist im kostenlosen Tarif = kostenlos | ist im Kostenlosen Tarif. = Kostenlos
S | profile | plan | Ist im kostenlosen Tarif = kostenlos | Ist nicht im kostenlosen Tarif = kostenlos
X | profile | plan | Ist im kostenlosen Tarif = kostenlos | Ist nicht im Team-Tarif = Team
S | profile | city | Wohnt in Leipzig = Leipzig | Wohnt in Dresden = Dresden
S | profile | timezone | Zeitzone ist Europe/Berlin = Europe/Berlin | Zeitzone ist Asia/Tokyo = Asia/Tokyo
S | profile | name | Heißt Tom = Tom | Heißt Thomas = Thomas
X | profile | | Arbeitet bei X als Leiterin | Betreut die Netze von X
X | preference | likes | Mag Tee = Tee | Mag Kaffee = Kaffee
S | preference | likes | Mag Tee = Tee | Mag keinen Tee = Tee
C | preference | likes | Mag Tee = Tee | mag Tee! = Tee
X | project | | Ticket 55102 ist offen | Ticket 55103 ist offen
S | project | | Ticket 55102 ist offen | Ticket 55102 ist nicht offen
S | constraint | | Auslieferung in Produktion ist erlaubt | Auslieferung in Produktion ist nicht erlaubt
X | constraint | | Auslieferung in Produktion ist erlaubt | Auslieferung in Staging ist nicht erlaubt
X | constraint | | Die Grenze ist 5 MB | Die Grenze ist 5 GB
X | constraint | | Budget ist 500 Euro | Budget ist 500 Dollar
S | instruction | | Benutze bash | Benutze niemals bash
S | instruction | | Nimm immer PowerShell, nie bash | Nimm immer bash, nie PowerShell
S | instruction | | Antworte auf Englisch | Antworte auf Deutsch
X | instruction | | Antworte auf Englisch | Nenne immer die Quelle
S | instruction | | Gib kurze Antworten | Gib ausführliche Antworten
X | profile | pet | Hat einen Hund namens Rex = Rex | Hat eine Katze namens Mia = Mia
X | event | | War im Mai 2024 in Paris | War im Mai 2025 in Paris
K | profile | plan | Ist im kostenlosen Tarif = kostenlos | Ist im Pro-Tarif = Pro
K | constraint | | Auslieferung am Freitag ist erlaubt | Auslieferung am Freitag ist nicht erlaubt
"""
_FR = """
S | profile | plan | Est sur la formule gratuite = gratuite | Est sur la formule entreprise = entreprise
C | profile | plan | Est sur la formule gratuite = gratuite | est sur la formule Gratuite. = Gratuite
S | profile | plan | Est sur la formule gratuite = gratuite | N'est plus sur la formule gratuite = gratuite
X | profile | plan | Est sur la formule gratuite = gratuite | N'est pas sur la formule équipe = équipe
S | profile | city | Habite à Lyon = Lyon | Habite à Lille = Lille
S | profile | timezone | Fuseau horaire : Europe/Paris = Europe/Paris | Fuseau horaire : Asia/Tokyo = Asia/Tokyo
S | profile | name | S'appelle Tom = Tom | S'appelle Thomas = Thomas
X | profile | | Travaille chez X comme directrice | Gère les réseaux de X
X | preference | likes | Aime le thé = thé | Aime le café = café
S | preference | likes | Aime le thé = thé | N'aime pas le thé = thé
C | preference | likes | Aime le thé = thé | aime le thé = thé
X | project | | Le ticket 55102 est ouvert | Le ticket 55103 est ouvert
S | project | | Le ticket 55102 est ouvert | Le ticket 55102 n'est pas ouvert
S | constraint | | Le déploiement en production est permis | Le déploiement en production n'est pas permis
X | constraint | | Le déploiement en production est permis | Le déploiement en préproduction n'est pas permis
X | constraint | | La limite est de 5 Mo | La limite est de 5 Go
X | constraint | | Le budget est de 500 euros | Le budget est de 500 dollars
S | instruction | | Utilise bash | N'utilise jamais bash
S | instruction | | Utilise toujours PowerShell, jamais bash | Utilise toujours bash, jamais PowerShell
S | instruction | | Réponds en anglais | Réponds en français
X | instruction | | Réponds en anglais | Cite toujours la source
S | instruction | | Donne des réponses courtes | Donne des réponses détaillées
X | profile | pet | A un chien nommé Rex = Rex | A un chat nommé Mia = Mia
X | event | | Est allée à Paris en mai 2024 | Est allée à Paris en mai 2025
K | profile | plan | Est sur la formule gratuite = gratuite | Est sur la formule pro = pro
K | constraint | | Le déploiement du vendredi est permis | Le déploiement du vendredi n'est pas permis
"""
_ES = """
S | profile | plan | Está en el plan gratuito = gratuito | Está en el plan empresa = empresa
C | profile | plan | Está en el plan gratuito = gratuito | está en el plan Gratuito. = Gratuito
S | profile | plan | Está en el plan gratuito = gratuito | Ya no está en el plan gratuito = gratuito
X | profile | plan | Está en el plan gratuito = gratuito | No está en el plan equipo = equipo
S | profile | city | Vive en Sevilla = Sevilla | Vive en Bilbao = Bilbao
S | profile | timezone | Zona horaria: Europe/Madrid = Europe/Madrid | Zona horaria: Asia/Tokyo = Asia/Tokyo
S | profile | name | Se llama Tom = Tom | Se llama Tomás = Tomás
X | profile | | Trabaja en X como directora | Lleva las redes de X
X | preference | likes | Le gusta el té = té | Le gusta el café = café
S | preference | likes | Le gusta el té = té | No le gusta el té = té
C | preference | likes | Le gusta el té = té | le gusta el té = té
X | project | | El ticket 55102 está abierto | El ticket 55103 está abierto
S | project | | El ticket 55102 está abierto | El ticket 55102 no está abierto
S | constraint | | El despliegue en producción está permitido | El despliegue en producción no está permitido
X | constraint | | El despliegue en producción está permitido | El despliegue en pruebas no está permitido
X | constraint | | El límite es 5 MB | El límite es 5 GB
X | constraint | | El presupuesto es 500 euros | El presupuesto es 500 dólares
S | instruction | | Usa bash | Nunca usa bash
S | instruction | | Usa siempre PowerShell, nunca bash | Usa siempre bash, nunca PowerShell
S | instruction | | Responde en inglés | Responde en español
X | instruction | | Responde en inglés | Cita siempre la fuente
S | instruction | | Da breves respuestas | Da detalladas respuestas
X | profile | pet | Tiene un perro llamado Rex = Rex | Tiene un gato llamado Mia = Mia
X | event | | Fue a París en mayo de 2024 | Fue a París en mayo de 2025
K | profile | plan | Está en el plan gratuito = gratuito | Está en el plan pro = pro
K | constraint | | El despliegue los viernes está permitido | El despliegue los viernes no está permitido
"""
_ZH = """
S | profile | plan | 使用免费套餐 = 免费 | 使用企业套餐 = 企业
C | profile | plan | 使用免费套餐 = 免费 | 使用免费套餐。 = 免费
S | profile | plan | 使用免费套餐 = 免费 | 不再使用免费套餐 = 免费
X | profile | plan | 使用免费套餐 = 免费 | 没有使用团队套餐 = 团队
S | profile | city | 住在上海 = 上海 | 住在成都 = 成都
S | profile | timezone | 时区是 Asia/Shanghai = Asia/Shanghai | 时区是 Asia/Tokyo = Asia/Tokyo
S | profile | name | 名字叫小王 = 小王 | 名字叫王伟 = 王伟
X | profile | | 在甲公司担任总监 | 负责甲公司的网络
X | preference | likes | 喜欢茶 = 茶 | 喜欢咖啡 = 咖啡
S | preference | likes | 喜欢茶 = 茶 | 不喜欢茶 = 茶
C | preference | likes | 喜欢茶 = 茶 | 喜欢茶！ = 茶
X | project | | 工单 55102 处于打开状态 | 工单 55103 处于打开状态
S | project | | 工单 55102 打开 | 工单 55102 没有打开
S | constraint | | 允许部署到生产环境 | 不允许部署到生产环境
X | constraint | | 允许部署到生产环境 | 不允许部署到测试环境
X | constraint | | 上限是 5 MB | 上限是 5 GB
X | constraint | | 预算是 500 欧元 | 预算是 500 美元
S | instruction | | 使用 bash | 不要使用 bash
S | instruction | | 总是用 PowerShell，不用 bash | 总是用 bash，不用 PowerShell
S | instruction | | 用英文回答 | 用中文回答
X | instruction | | 用英文回答 | 总是注明来源
S | instruction | | 回答要简短 | 回答要详细
X | profile | pet | 有一只狗叫雷克斯 = 雷克斯 | 有一只猫叫米娅 = 米娅
X | event | | 2024年5月去了巴黎 | 2025年5月去了巴黎
K | profile | plan | 使用免费套餐 = 免费 | 使用专业套餐 = 专业
K | constraint | | 允许周五部署 | 不允许周五部署
"""

PAIRS = [
    pair
    for language, table in (("en", _EN), ("de", _DE), ("fr", _FR), ("es", _ES), ("zh", _ZH))
    for pair in _lines(language, table)
]
