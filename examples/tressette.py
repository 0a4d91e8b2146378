"""Tressette from Python: a round, advice with its reasons, what is known, open hands solved, a match."""

import mazzo
from mazzo import tressette

r = tressette.Round(seed=1)
print(r, r.legal, r.observe())
bot = tressette.agent("sampler")
print(bot.explain(r.observe()))
r.act(bot)
r.undo()
print(tressette.knowledge(r.observe()).deductions())
print(tressette.solve(r))
print(mazzo.match("tressette", ["decision", "greedy"], deals=500))
