"""Where tests find data: small files that come with them, and the large ones where they are there."""

from __future__ import annotations

from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).parents[2] / "shared" / "data"

needs_shared_data = pytest.mark.skipif(not SHARED.is_dir(), reason=f"the large data files are not there: {SHARED}")
