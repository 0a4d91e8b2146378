"""The main job: from logged hands to a hero, a clone, exact blackjack, tressette and tournaments, in one report.

Every part is a command a person could type; the demo runs them in a folder of its own, several at a time, and writes
what they found as a page that grows. What is done is kept: the demo goes on where it stopped, and a second one only
reads.
"""

from __future__ import annotations

from mazzo.demo.page import report_of
from mazzo.demo.running import run_demo
from mazzo.demo.steps import Step, steps

__all__ = ["Step", "report_of", "run_demo", "steps"]
