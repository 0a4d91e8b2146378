from __future__ import annotations

import json

from mazzo.agent import Explanation, Option
from mazzo.studies import STUDIES, sassone
from mazzo.studies.sassone_choices import belief_kind, decision_kind, situations


def _small(figure: str, name: str) -> dict[str, object]:
    return next(t for t in sassone.tasks(full=False) if t["figure"] == figure and name in t["agents"])


def _pair(first: str, second: str) -> dict[str, object]:
    return next(t for t in sassone.tasks(full=False) if t.get("players") == [first, second])


def test_the_study_is_listed_and_its_tasks_are_json() -> None:
    assert STUDIES["sassone"] is sassone
    for full in (False, True):
        tasks = sassone.tasks(full)
        assert json.loads(json.dumps(tasks)) == tasks
        pairs = {tuple(t["players"]) for t in tasks if t["figure"] == "pairings"}
        assert len(pairs) == 7 * 6 // 2


def test_the_full_form_plays_at_least_500_deals_with_a_solver_and_10000_without() -> None:
    deals: dict[tuple[str, ...], int] = {}
    for task in sassone.tasks(full=True):
        if task["figure"] == "pairings":
            start, stop = task["deals"]
            deals[tuple(task["players"])] = deals.get(tuple(task["players"]), 0) + stop - start
    assert deals["sampler", "decision"] == 500
    assert deals["decision", "greedy"] == 10_000


def test_results_become_rows_and_charts() -> None:
    tasks = [_pair("decision", "belief"), _small("losses", "decision"), _small("one seat", "belief")]
    results = [sassone.run(task) for task in [*tasks, _small("time", "greedy")]]
    assert json.loads(json.dumps(results)) == results
    rows = {row.what: row for row in sassone.rows(results)}
    assert rows["decision - belief: points a deal"].kind == "sign"
    ten = rows["belief in one seat: points of 110 in ten rounds"]
    assert ten.text == "61"
    assert ten.verdict == "undecided", "ten rounds say little"
    assert rows["decision - belief in one seat: good hands less poor hands"].kind == "sign"
    assert rows["decision - belief in one seat, poor hands: points a round"].verdict == "added"
    lost = [float(row.ours) for what, row in rows.items() if "points lost" in what]
    assert len(lost) == 7
    assert lost[-1] == 0, "the last card is forced"
    assert sum(lost) > 0
    assert float(rows["greedy: milliseconds a move"].ours) > 0
    titles = [chart.title for chart in sassone.charts(results)]
    assert titles == ["Against the decision network", "What a card loses against perfect play with open hands"]


def test_only_what_the_document_prints_stands_in_its_column() -> None:
    tasks = [_pair("greedy", "random"), _pair("decision", "belief"), _small("one seat", "decision")]
    rows = sassone.rows([sassone.run(task) for task in tasks])
    for row in rows:
        assert (row.verdict == "added") == (row.text == "")
    numbers = {row.text for row in rows if row.text and row.text.isdigit()}
    assert numbers <= {"63", "61", "7", "4", "10"}


def test_one_seat_gives_both_networks_the_same_deals_and_splits_them_by_pieces() -> None:
    task = {"figure": "one seat", "agents": ["belief", "belief"], "others": "greedy", "deals": [0, 40], "seed": 3}
    found = sassone.run(task)
    cells = [cell for line in found["difference"] for cell in line]
    assert sum(n for n, _, _ in cells) == 40
    assert all(mean == 0 for _, mean, _ in cells), "the same agent does the same"
    assert 0 < found["tens"]["belief"]["points"][1] < 110


def test_the_programs_choices_are_compared_and_every_difference_has_a_kind() -> None:
    results = [sassone.run(task) for task in sassone.tasks(full=False) if task["figure"] == "choices"]
    rows = {row.what: row for row in sassone.rows(results)}
    assert rows["decision: the card that Sassone's own program plays"].ours == "66 of 79"
    assert rows["belief: the card that Sassone's own program plays"].ours == "60 of 80"
    for name, differing in (("decision", 13), ("belief", 20)):
        kinds = {what: int(row.ours) for what, row in rows.items() if what.startswith(f"{name}: another card")}
        assert sum(kinds.values()) == differing
        assert not any("not known" in what for what in kinds)
    assert all(row.verdict == "added" for row in rows.values())


def test_the_program_does_as_its_terms_say() -> None:
    """Its card is one of highest U = max(P) (table + points) + DT + V by its own terms, or the last one left."""
    checked = 0
    for found in situations():
        terms = {card: of for card, of in found["terms"].items() if of is not None}
        if found["decision"] in terms and len(terms) == len(found["terms"]):
            values = {card: max(t[0], t[1]) * (t[2] + t[3]) + t[4] + t[5] for card, t in terms.items()}
            assert values[found["decision"]] >= max(values.values()) - 1e-5
            checked += 1
    assert checked > 70


def _explained(action: str, **options: dict[str, float]) -> Explanation:
    made = [Option(card.removeprefix("c"), of.get("U", 0.0), terms=of) for card, of in options.items()]
    return Explanation(action, "", made)


def test_the_kind_of_a_difference_is_the_part_that_makes_it() -> None:
    his = {"4d": [0.5, 0, 0, 1, 0, 0], "Ad": [0.4, 0, 0, 1, 0, 0]}
    same = {"P(partner takes)": 0.0, "estimate": 1.0, "DT": 0.0, "V": 0.0}
    low, high = {"P(c takes)": 0.3, "U": 0.3, **same}, {"P(c takes)": 0.4, "U": 0.4, **same}
    kind = decision_kind({"decision": "4d", "terms": his}, _explained("Ad", c4d=low, cAd=high))
    assert kind == "its chance to take is another"
    kind = decision_kind({"decision": "4d", "terms": his}, _explained("Ad", c4d=high, cAd=high))
    assert kind == "of equal utility in ours"
    rest = {"P(c takes)": 0.4, "U": 1.4, **same, "V": 1.0}
    kind = decision_kind({"decision": "4d", "terms": his}, _explained("Ad", c4d={**low, "P(c takes)": 0.5}, cAd=rest))
    assert kind == "its V (taking the rest) is another"
    assert decision_kind({"decision": "Ad", "terms": his}, _explained("Ad", c4d=low, cAd=high)) == ""
    assert decision_kind({"decision": None, "terms": his}, _explained("Ad")) == "its program fails"


def test_the_belief_networks_differences() -> None:
    takes, not_ = {"takes": 1.0}, {"takes": 0.0}
    ours = _explained("8d", c4d=not_, c8d=takes, cAd=takes, c9c=takes, c5s=not_)
    other = _explained("Ad", cAd=takes)
    assert belief_kind(["8d"], ours, ours) == ""
    assert belief_kind(["Ad", "5s"], ours, other) == "it forgets its own cards played"
    assert belief_kind(["Ad"], ours, ours).startswith("it takes with one that is not the lowest")
    assert belief_kind(["9c"], ours, ours) == "it takes in another suit"
    assert belief_kind(["5s"], ours, ours).startswith("it throws one")
    assert belief_kind(["5s"], _explained("4d", c4d=not_, c5s=not_), ours).startswith("nothing takes")
