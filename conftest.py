"""Two processes for the whole suite; none beside the first where files are named: starting them would cost more."""

from __future__ import annotations

import pytest


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """How many processes `-n auto` means."""
    named = config.args and all(".py" in argument for argument in config.args)
    return 0 if named and len(config.args) < 3 else 2
