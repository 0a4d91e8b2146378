"""Tables of several people: no seed is taken, the seal is shown before the deal, and each seat checks what it saw."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.sealed import opened_cards
from mazzo.web.limits import Limits
from mazzo.web.live import LiveTable
from tests.web.playing import open_table, seated

SEATS = {"holdem": ["me", "me"], "blackjack": ["me", "me"], "tressette": ["me", "greedy", "me", "greedy"]}


@pytest.mark.parametrize("game", SEATS)
def test_a_table_of_several_people_takes_no_seed(client: TestClient, tmp_path: Path, game: str) -> None:
    form = {"seats": str(len(SEATS[game])), "seed": "7"}
    for k, who in enumerate(SEATS[game]):
        form |= {f"seat{k}": who, f"name{k}": f"P{k}"}
    answer = client.post(f"/new/{game}", data=form)
    assert answer.status_code == 400
    assert "takes no seed" in answer.text
    with pytest.raises(UnreadableError, match="takes no seed"):
        LiveTable.open(tmp_path, game, ["me:A", "me:B", *SEATS[game][2:]], {}, "instant", 7, Limits(), None)  # type: ignore[arg-type]
    assert not list(tmp_path.glob("*.jsonl"))


def test_the_secret_is_in_a_file_that_only_its_owner_reads_and_in_no_message(
    client: TestClient, tmp_path: Path
) -> None:
    with seated(client, open_table(client, "holdem", ["me", "me"])) as seat:
        seat.until(lambda m: m["type"] == "state")
        path = next((tmp_path / "data" / "tables").glob("*.jsonl"))
        head = json.loads(path.read_text().splitlines()[0])
        assert head["table"] == 3
        assert "seed" not in head
        assert len(bytes.fromhex(head["secret"])) == 32
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        pages = [client.get(f"/table/{seat.table}/{seat.token}").text, client.get("/").text, *seat.received]
        assert not [page for page in pages if head["secret"] in page]


def test_each_seat_checks_what_it_saw_against_the_seal_shown_before(client: TestClient) -> None:
    path = open_table(client, "holdem", ["me", "me"])
    with seated(client, path) as anna:
        state = anna.until(lambda m: m["type"] == "state")
        invite = str(next(iter(state["invites"].values())))
        assert state["deal"]["seal"] in client.get(invite).text
        other = client.post(invite, data={"name": "Bruno"}, follow_redirects=False).headers["location"]
        assert client.get(f"{path}/deal/0").status_code == 404
        with seated(client, other) as bruno:
            now = bruno.until(lambda m: m["type"] == "state")
            (anna if now["view"]["turn"] == 0 else bruno).do(now, "f")
            over = anna.until(lambda m: m["type"] == "state" and m["view"]["hand_over"])
            assert over["deal"]["checked"] == 0
            told = [client.get(f"{seat}/deal/0").json() for seat in (path, other, path.rsplit("/", 1)[0])]
            assert client.get(f"{path}/deal/1").status_code == 404
            anna.do(over, "next")
            after = anna.until(lambda m: m["type"] == "state" and m["deal"]["number"] == 1)
            assert after["deal"]["seal"] == state["deal"]["next"]
    found = [opened_cards(proof, list(map(str, FRENCH))) for proof in told]
    assert {seal for seal, _ in found} == {state["deal"]["seal"]}
    seen = [{card for card in cards if card} for _, cards in found]
    assert [len(cards) for cards in seen] == [2, 2, 0]
    assert not seen[0] & seen[1]


@pytest.mark.parametrize("watch", ["after", "table"])
def test_the_key_is_published_after_the_hand_where_spectators_see_all_cards_and_only_there(
    client: TestClient, tmp_path: Path, watch: str
) -> None:
    path = open_table(client, "holdem", ["me", "me"], watch=watch)
    with seated(client, path) as anna:
        state = anna.until(lambda m: m["type"] == "state")
        invite = str(next(iter(state["invites"].values())))
        other = client.post(invite, data={"name": "Bruno"}, follow_redirects=False).headers["location"]
        with seated(client, other) as bruno:
            now = bruno.until(lambda m: m["type"] == "state")
            (anna if now["view"]["turn"] == 0 else bruno).do(now, "f")
            over = anna.until(lambda m: m["type"] == "state" and m["view"]["hand_over"])
            proof = client.get(f"{path}/deal/0").json()
            anna.do(over, "next")
            after = anna.until(lambda m: m["type"] == "state" and m["deal"]["number"] == 1)
            assert client.get(f"{path}/deal/1").status_code == 404
    assert "key" not in state["deal"]
    if watch == "table":
        assert "key" not in over["deal"]
        assert "key" not in proof
        return
    seal, cards = opened_cards({"key": over["deal"]["key"]}, list(map(str, FRENCH)))
    assert seal == state["deal"]["seal"] == proof["seal"]
    assert proof["key"] == over["deal"]["key"] == after["deal"]["key"]  # of the deck that is over, not of the next
    assert after["deal"]["seal"] != seal
    assert set(over["view"]["seats"][0]["hands"][0]["cards"]) <= set(cards)
    secret = json.loads(next((tmp_path / "data" / "tables").glob("*.jsonl")).read_text().splitlines()[0])["secret"]
    assert not [raw for raw in anna.received if secret in raw]


def test_a_sealed_table_is_opened_again_with_the_same_cards(client: TestClient, tmp_path: Path) -> None:
    path = open_table(client, "tressette", SEATS["tressette"])
    folder = tmp_path / "data" / "tables"
    kept = next(folder.glob("*.jsonl"))
    again = kept.with_name(f"{'0' * 16}.jsonl")
    again.write_text(kept.read_text().replace(path.split("/")[2], "0" * 16))
    with seated(client, path) as one, seated(client, f"/table/{'0' * 16}/{path.split('/')[3]}") as two:
        first, second = (seat.until(lambda m: m["type"] == "state" and m["ready"]) for seat in (one, two))
        assert first["view"]["seats"][0]["hands"] == second["view"]["seats"][0]["hands"]
        assert first["deal"] == second["deal"]


@pytest.mark.parametrize("secret", [None, "", "zz", "0" * 63, 7, ["0"] * 64])
def test_a_file_whose_secret_is_none_is_refused(client: TestClient, tmp_path: Path, secret: object) -> None:
    open_table(client, "holdem", ["me", "me"])
    kept = next((tmp_path / "data" / "tables").glob("*.jsonl"))
    head = {**json.loads(kept.read_text().splitlines()[0]), "id": "0" * 16, "secret": secret}
    kept.with_name(f"{'0' * 16}.jsonl").write_text(json.dumps(head) + "\n")
    assert client.get(f"/table/{'0' * 16}").status_code == 400
