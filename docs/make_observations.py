"""Write docs/observations.md from the classes' own docs: `python docs/make_observations.py`."""

from __future__ import annotations

import ast
from pathlib import Path

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src" / "mazzo"
GAMES = {"holdem": "Hold'em", "blackjack": "Blackjack", "tressette": "Tressette"}
HEAD = """# What an agent sees

An agent's `decide` gets `Observations`: a batch of decisions, one a row of every array, and nothing of what the player
may not see. `len(o)` is the number of decisions. `explain` gets a batch of one. This page is written from the classes'
own docs by `python docs/make_observations.py`.
"""


def observations_class(game: str) -> ast.ClassDef:
    """The class `Observations` of a game, wherever it stands."""
    for path in sorted((SOURCE / game).rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name == "Observations":
                return node
    raise LookupError(f"{game} has no class Observations")


def fields_of(game: str) -> list[tuple[str, str, str]]:
    """Name, type and meaning of every field and property, in the order of the source."""
    found: list[tuple[str, str, str]] = []
    body = observations_class(game).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            said = after.value if isinstance(after, ast.Expr) else None
            text = said.value if isinstance(said, ast.Constant) and isinstance(said.value, str) else ""
            found.append((node.target.id, ast.unparse(node.annotation), text))
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            text = ast.get_docstring(node) or ""
            found.append((node.name, ast.unparse(node.returns) if node.returns else "", text))
    return [(name, kind, " ".join(text.split())) for name, kind, text in found if not text.startswith("The old name")]


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for game, title in GAMES.items():
        about = " ".join((ast.get_docstring(observations_class(game)) or "").split())
        cells = [[cell.replace("|", "\\|") for cell in field] for field in fields_of(game)]
        rows = [f"| `{name}` | `{kind}` | {text} |".replace("  ", " ") for name, kind, text in cells]
        parts.append("\n".join([f"## {title}", "", about, "", "| name | type | what |", "|---|---|---|", *rows, ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    (DOCS / "observations.md").write_text(page())
