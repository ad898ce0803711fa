"""Markdown to HTML that is safe to put into a page: no raw HTML, no images, only plain links.

A recalled text could carry an image whose address tells somebody what was said; so none is ever loaded.
"""

import nh3
from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
_TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre",
    "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip


def to_html(markdown: str) -> str:
    """Sanitised HTML of ``markdown``."""
    return nh3.clean(
        _MARKDOWN.render(markdown),
        tags=_TAGS,
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
