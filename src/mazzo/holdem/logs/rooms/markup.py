"""Tags of XML as rooms write it: unclosed, without a root, wrongly declared. Only tags and their texts are read."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Tag", "tags_of"]

_TAG = re.compile(r"<(/?)([A-Za-z_][\w.-]{0,40})([^<>]{0,4000})>([^<]{0,4000})")
_ATTRIBUTE = re.compile(r"([\w:.-]{1,60})\s{0,4}=\s{0,4}\"([^\"]{0,1000})\"")


class Tag(NamedTuple):
    """A tag: its name, whether it closes, its attributes, and the text after it."""

    name: str
    closes: bool
    attributes: dict[str, str]
    text: str

    def get(self, name: str) -> str:
        """An attribute, empty where there is none."""
        return self.attributes.get(name, "")


def tags_of(text: str) -> Iterator[Tag]:
    """The tags of a text in order; names of tags and attributes in small letters."""
    for closes, name, attributes, after in _TAG.findall(text):
        found = {key.lower(): html.unescape(value) for key, value in _ATTRIBUTE.findall(attributes)}
        yield Tag(name.lower(), bool(closes), found, html.unescape(after.strip()))
