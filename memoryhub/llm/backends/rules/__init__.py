"""Facts found by patterns, for when no language model is configured. English, first person, precision before recall.

``sentences`` cuts a turn into what may be read, ``guards`` refuses what is asked, supposed or reported, the modules
of one kind each hold a table of rules, ``dates`` reads simple dates, ``extractor`` speaks the prompt's contract.
"""
