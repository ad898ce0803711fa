"""A 40-turn support conversation, made up for MemoryHub: what a person says about themself, and ordinary questions."""

_SAID = (
    "Hi, I'm Noor. My timezone is Europe/Amsterdam and I work at Tulip Freight as a dispatcher.",
    "Always answer in short sentences, please.",
    "How do I export last month's deliveries as a spreadsheet? I need the weights and the customer numbers in it.",
    "I'm on the free plan at the moment.",
    "The export stops after five hundred rows. Is that a limit, or did I do something wrong on my side?",
    "We decided to split the export by depot, so Rotterdam goes first and Venlo second.",
    "Which columns does the customs form need? The broker asked for tariff codes and gross weight.",
    "I prefer email over phone calls.",
    "Can the report run at six in the morning, before the first truck leaves the yard?",
    "We upgraded to the enterprise plan this morning.",
    "Does that lift the row limit for the export too, or only for the dashboard?",
    "I moved to Utrecht, so the depot in Nieuwegein is closer now.",
    "What is the difference between a delivery and a shipment in your reports?",
    "I'm working on a new pallet label for the cold store.",
    "The label printer says paper jam, but there is no paper in the tray at all. What else can I check?",
    "Thanks, that was it: the sensor was dirty.",
    "Can I give a colleague read access without making them an administrator?",
    "How long do you keep old reports before they are deleted?",
    "Is there a way to see who changed a delivery and when they did it?",
    "One more thing: which plan am I on now, and what did we decide about the depots?",
)
#: About as long as a language model's answers to such questions are: 110 to 150 words.
_ANSWERED = (
    "Welcome. Open Reports, choose Deliveries, set the period at the top and press Export. On the next page you pick the "
    "columns, among them weight, volume, customer number and depot, and you can save that choice under a name for the next "
    "time. The file is written in the background, and a message with a link arrives when it is ready, usually within a "
    "minute; large periods take longer, and you can leave the page meanwhile without stopping anything. If a column you "
    "need is not in the list, it is switched off for your role: an administrator can turn it on under Settings, Columns. "
    "The same export is there as a scheduled report, so that nobody has to press the button every morning. Tell me the "
    "period and the depots that you need, and I will walk you through the settings step by step.",
    "Understood. Check that the filter at the top is empty first, since it narrows the export as well as the table below "
    "it. If the number of rows still looks wrong, compare it with the counter at the foot of the table, which always counts "
    "all deliveries of the period. Differences come from three places: deliveries that were cancelled after the period "
    "began, deliveries that belong to a depot you may not see, and the row limit of the plan, which cuts an export at its "
    "end without changing the counter. The first two are listed under Details; for the third there is a yellow note above "
    "the link. Send me both numbers together with the depot and the period, and I can tell you which of the three it is "
    "and what to change.",
)


def turns() -> list[tuple[str, str]]:
    """Role and text of the forty turns, in order."""
    listed = []
    for number, said in enumerate(_SAID):
        listed += [("user", said), ("assistant", _ANSWERED[number % 2])]
    return listed
