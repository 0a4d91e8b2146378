"""A request names agents; it opens no file, runs no program, and asks for no endless work."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from mazzo.agent import Agent, Between, agent_class, safe_parameters
from mazzo.errors import UnreadableError
from mazzo.games import entries
from mazzo.model_file import Model, write_model
from mazzo.registry import parameters
from mazzo.web.allowed import Allowed
from mazzo.web.app import create_app

from .playing import open_table, seated

PROGRAM = """
from pathlib import Path
from mazzo.holdem.agents.ignores_cards import Call
Path("it-ran").touch()
class Mine(Call):
    pass
"""
ENTRIES = {entry.NAME: entry for entry in entries()}
EVERY_AGENT = [(game, name) for game, entry in ENTRIES.items() for name in entry.AGENTS]
PATHS = ["mybot.py", "..", "/etc/passwd", "x.log", "hero.mz", "random", "recorder:agent=mybot.py"]


def _class(game: str, name: str) -> type[Agent[Any]]:
    entry = ENTRIES[game]
    return agent_class(name, entry.AGENTS)


def _everything(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize(("game", "name"), EVERY_AGENT)
def test_no_parameter_of_any_agent_takes_a_path_or_another_agent(client: TestClient, game: str, name: str) -> None:
    Path("mybot.py").write_text(PROGRAM)
    Path("x.log").write_text("STATE:0:cc/cc/cc/cc:AsKs|QhJh:0|0:a|b\n")
    above = Path().resolve().parent
    before = _everything(above)
    for key in parameters(_class(game, name)):
        for value in PATHS:
            agents = {f"seat{k}": f"{name}:{key}={value}" for k in (1, 2, 3)}
            form = {"seats": "4", "seat0": "me", "name0": "A", **agents}
            assert client.post(f"/new/{game}", data=form).status_code == 400
    assert _everything(above) == before


@pytest.mark.parametrize(("game", "name"), EVERY_AGENT)
def test_what_an_agent_calls_safe_is_a_number_within_bounds_or_a_word_of_a_list(game: str, name: str) -> None:
    found = _class(game, name)
    by_field = {p.name: p for p in parameters(found).values()}
    for key, bounds in (safe_parameters(found) or {}).items():
        if isinstance(bounds, Between):
            assert np.isfinite([bounds.low, bounds.high]).all()
            assert bounds.low <= float(by_field[key].default) <= bounds.high
        else:
            assert str(by_field[key].default).lower() in bounds


def test_an_agent_that_says_nothing_is_not_seated_and_a_subclass_inherits_no_word() -> None:
    from mazzo.holdem.agents.rich import Rich

    class Quiet(Rich):
        pass

    assert safe_parameters(Rich) is not None
    assert safe_parameters(Quiet) is None
    with pytest.raises(UnreadableError, match="there is no agent 'recorder' to seat here"):
        Allowed().check("recorder", ENTRIES["holdem"])


@pytest.mark.parametrize("seat", [
    "recorder:agent=mybot.py,to=zzz", "recorder:agent=rich,to=..", "replayer:log=x.log,player=a",
    "casebase:log=x.log,hero=a", "hero", "clone", "hero:model=hero.mz", "online:model=hero.mz", "./mybot.py",
    "mybot.py", "sub/hero.mz", "../hero.mz", "reader:samples=1000000000", "rich:samples=nan", "rich:size=huge",
    "cheat", "random:" + "x" * 400,
])  # fmt: skip
def test_files_programs_and_endless_work_are_refused_at_tables_and_in_the_lab(client: TestClient, seat: str) -> None:
    Path("mybot.py").write_text(PROGRAM)
    form = {"seats": "2", "seat0": "me", "name0": "A", "seat1": seat}
    assert client.post("/new/holdem", data=form).status_code == 400
    with client.websocket_connect("/ws") as socket:
        wanted = {"do": "match", "game": "holdem-limit-2p", "agents": [seat, "call"], "hands": 10, "seed": 1}
        socket.send_text(json.dumps(wanted))
        answer = socket.receive_json()
    assert "failed" in answer or "refused" in answer
    assert not Path("it-ran").exists()


@pytest.mark.parametrize("seat", ["rich:margin=.02,size=most", "random:fold=.2,free_fold=true", "utility:raise=.6"])
def test_numbers_and_choices_are_taken(client: TestClient, seat: str) -> None:
    assert open_table(client, "holdem", ["me", seat])


def test_a_model_is_seated_by_its_plain_name_from_the_one_folder(tmp_path: Path, monkeypatch: Any) -> None:
    models, work = tmp_path / "models", tmp_path / "work"
    models.mkdir()
    work.mkdir()
    monkeypatch.chdir(work)
    write_model(models / "other.mz", Model("hero", {}, {}))
    write_model(work / "here.mz", Model("hero", {}, {}))
    allowed = Allowed(models)
    assert allowed.models() == ["other.mz"]
    with pytest.raises(UnreadableError, match="there is no agent 'here"):
        allowed.make("here.mz", ENTRIES["holdem"])
    with pytest.raises(UnreadableError, match="cannot be chosen here"):
        allowed.make("other.mz:model=x", ENTRIES["holdem"])


def test_a_model_file_that_names_a_program_runs_nothing(client: TestClient) -> None:
    Path("mybot.py").write_text(PROGRAM)
    write_model(Path("evil.mz"), Model("mybot.py", {}, {}))
    form = {"seats": "2", "seat0": "me", "name0": "A", "seat1": "evil.mz"}
    answer = client.post("/new/holdem", data=form)
    assert answer.status_code == 400
    assert "names the agent" in answer.text
    assert not Path("it-ran").exists()


def test_a_program_is_seated_only_if_the_operator_named_it(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mybot.py").write_text(PROGRAM)
    allowed = Allowed(programs=[Path("mybot.py")])
    with TestClient(create_app(tmp_path / "data", allowed=allowed), base_url="http://localhost") as client:
        client.headers.update({"host": "localhost", "origin": "http://localhost"})
        assert "mybot.py" in client.get("/new/holdem").text
        assert open_table(client, "holdem", ["me", "mybot.py"])
        form = {"seats": "2", "seat0": "me", "name0": "A", "seat1": "mybot.py:x=1"}
        assert client.post("/new/holdem", data=form).status_code == 400


def test_a_table_on_disk_is_checked_again_when_it_is_opened(tmp_path: Path, client: TestClient) -> None:
    Path("mybot.py").write_text(PROGRAM)
    url = open_table(client, "holdem", ["me", "call"])
    path = next((tmp_path / "data" / "tables").glob("*.jsonl"))
    head = json.loads(path.read_text().splitlines()[0])
    head["id"], head["seats"][1] = "0" * 16, "recorder:agent=mybot.py,to=zzz"
    path.with_name(f"{head['id']}.jsonl").write_text(json.dumps(head) + "\n")
    assert client.get(url).status_code == 200
    answer = client.get(f"/table/{head['id']}")
    assert answer.status_code == 400
    assert "no agent" in answer.text
    assert not Path("it-ran").exists()


def test_what_cannot_be_allowed_is_said_when_the_server_is_started() -> None:
    words = [sys.executable, "-m", "mazzo", "serve", "--allow", "nobody.py", "--no-browser", "--port", "0"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "--allow must be a Python file" in done.stderr


@pytest.mark.parametrize("game", ENTRIES)
def test_every_agent_that_the_menu_offers_can_sit_at_some_table(game: str) -> None:
    entry, allowed = ENTRIES[game], Allowed()
    seating = entry.seating()
    choices = next((f.choices for f in seating.fields if f.name == "betting"), ("",))
    for name in allowed.agents(entry):
        refused = []
        for choice in choices:
            seats = ["me:A", *[name] * (seating.least - 1)] if seating.least > 1 else [name]
            try:
                seating.table(seats, {"betting": choice} if choice else {}, 1, allowed.maker(entry))
            except UnreadableError as error:
                refused.append(str(error))
        assert len(refused) < len(choices), f"{name}: {refused}"


def _tables(game: str) -> list[tuple[dict[str, str], int]]:
    """Every number of seats with every choice that changes who can play."""
    seating = ENTRIES[game].seating()
    choices = next((f.choices for f in seating.fields if f.name == "betting"), ("",))
    counts = range(seating.least, seating.most + 1)
    return [({"betting": choice} if choice else {}, seats) for choice in choices for seats in counts]


@pytest.mark.parametrize("game", ENTRIES)
def test_the_menu_offers_exactly_the_agents_that_can_play_what_is_chosen(client: TestClient, game: str) -> None:
    entry, allowed = ENTRIES[game], Allowed()
    seating = entry.seating()
    offered_somewhere: set[str] = set()
    for options, seats in _tables(game):
        query = "&".join(f"{key}={value}" for key, value in {**options, "seats": seats}.items())
        offered = {form["name"] for form in client.get(f"/api/agents/{game}?{query}").json()["agents"]}
        offered_somewhere |= offered
        for name in allowed.agents(entry):
            try:
                seating.table([name] * seats, options, 1, allowed.maker(entry))
            except UnreadableError:
                assert name not in offered, f"{name} cannot play {options} with {seats} seats"
            else:
                assert name in offered, f"{name} can play {options} with {seats} seats"
    assert offered_somewhere == set(allowed.agents(entry))


@pytest.mark.parametrize("game", ENTRIES)
def test_the_page_of_a_new_table_offers_nobody_who_cannot_play_there(client: TestClient, game: str) -> None:
    page = client.get(f"/new/{game}").text
    offered = set(
        re.findall(r"<option [^>]*>([^<]+)</option>", page.partition("optgroup")[2].partition("/optgroup")[0])
    )
    usual = {form["name"] for form in client.get(f"/api/agents/{game}").json()["agents"]}
    assert offered == usual
    assert offered


@pytest.mark.parametrize(("game", "name"), EVERY_AGENT)
def test_every_parameter_of_a_form_is_explained_taken_at_its_bounds_and_refused_beyond(game: str, name: str) -> None:
    entry, allowed = ENTRIES[game], Allowed()
    if name not in allowed.agents(entry):
        return
    form = allowed.form(name, entry)
    assert {p["name"] for p in form["parameters"]} <= set(parameters(_class(game, name)))
    for p in form["parameters"]:
        assert p["means"], f"{name}: what {p['name']} means is not said"
        inside = p.get("words") or [p["low"], p["high"], p["usual"]]
        for value in inside:
            allowed.check(f"{name}:{p['name']}={value}", entry)
        beyond = (
            ["nobody", "../x", ""] if "words" in p else [p["low"] - 1, p["high"] + 1, "nan", "inf", "x.py", "1e999"]
        )
        for value in beyond:
            with pytest.raises(UnreadableError):
                allowed.check(f"{name}:{p['name']}={value}", entry)


def test_parameters_of_a_form_belong_to_their_seat_and_cannot_smuggle_others_in(client: TestClient) -> None:
    form = {"seats": "2", "seat0": "me", "name0": "A", "seat1": "utility", "speed": "instant"}
    taken = client.post("/new/holdem", data={**form, "p1.raise": "0.7", "p1.fold": ""}, follow_redirects=False)
    assert taken.status_code == 303
    with seated(client, str(taken.headers["location"])) as seat:
        assert seat.state()["view"]["seats"][1]["agent"] == "utility:raise=0.7"
    smuggled = [
        {"p1.raise": "0.7,model=x.mz"},
        {"p1.model": "x.mz"},
        {"p1.raise=0.7,to": ".."},
        {"p1.": "x"},
        {"p1.raise": "0.7:x"},
    ]
    for more in smuggled:
        assert client.post("/new/holdem", data={**form, **more}).status_code == 400
    recorder = {**form, "seat1": "recorder", "p1.agent": "mybot.py", "p1.to": "zzz"}
    assert client.post("/new/holdem", data=recorder).status_code == 400


def test_a_form_of_endless_fields_and_a_menu_of_nonsense_are_refused(client: TestClient) -> None:
    assert client.post("/new/holdem", data={f"p1.x{k}": "1" for k in range(5000)}).status_code == 400
    for query in ("betting=none", "chips=x", "blinds=" + "9" * 3000):
        assert client.get(f"/api/agents/holdem?{query}").status_code == 400
    for seats in ("-1", "99999999999", "\u0663", "x", ""):
        assert client.get("/api/agents/holdem", params={"seats": seats}).status_code == 200
    assert client.get("/api/agents/nothing").status_code in (400, 404)
