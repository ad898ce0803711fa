"""Facts found by patterns, for when no language model is configured. English, first person, precision before recall.

``sentences`` cuts a turn into what may be read, ``clauses`` finds where the speaker begins to speak of themself,
``guards`` refuses what is asked, supposed or reported, the modules of one kind each hold a table of rules, ``heads``
reads off each what it can begin with and ``matching`` tries only those, ``orders`` tells what holds from now on,
``dates`` reads simple dates, ``extractor`` speaks the prompt's contract.
"""
