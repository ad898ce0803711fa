"""MemoryHub: agent memory that can prove what it knows, why it knows it, and that it forgot.

The rooms, from the ground up; imports only go down (``pyproject.toml`` holds the contracts):

``clock errors ids text``  know nothing
``tenants``                who you are and whose data you may see
``audit  llm``             who did what; the only way out to a model provider
``memory``                 what was said and what is known
``chat  privacy``          a conversation built on memory; what a person may demand
``api  web  gateway``      the doors: JSON, HTML, streams
``config  local``          wiring; the embedded start
"""

__version__ = "0.1.0"
