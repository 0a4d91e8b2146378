"""Blackjack in ten lines: exact values, a chart, a round in the hand, a simulation."""

from mazzo import blackjack as bj

rules = bj.rules("strip", decks=8)
a = bj.analyse(rules)
print(a.ev, a.plays("8,8 v 10"), bj.chart(rules))
r = bj.Round(rules, seed=1)
print(r, r.legal)
r.act("stand")
print(r.payoffs)
r.undo()
print(bj.agent("basic").explain(r.observe()))
assert bj.Round.parse(str(r)) == r
print(bj.simulate(rules, rounds=10**6))
