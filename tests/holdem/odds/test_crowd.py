from pathlib import Path

import numpy as np
import pytest

from mazzo.cards import FRENCH
from mazzo.holdem.odds import crowd, crowd_equities, sampled_equity


def test_the_table_that_comes_with_mazzo_agrees_with_dealing_a_part_of_it_again() -> None:
    shipped, part = crowd.read_table(crowd.SHIPPED), crowd.deal_table(2_000_000)
    assert shipped is not None
    equity, again = (t.won / (t.deals * crowd.POT) for t in (shipped, part))
    # The part is among the deals of the whole: what differs is the part's error, of about sqrt(e (1 - e) / deals).
    error = np.sqrt(equity * (1 - equity) / part.deals)
    assert np.abs((again - equity) / error).max() < 5
    assert (shipped.deals >= part.deals).all()
    assert (shipped.won >= part.won).all()


def test_every_pot_of_every_deal_is_won_by_someone() -> None:
    deals = 30_000
    dealt = crowd.deal_table(deals)
    assert dealt.won.sum(axis=(1, 2)).tolist() == [deals * crowd.POT] * 7
    assert dealt.deals.sum(axis=(1, 2)).tolist() == [deals * (opponents + 1) for opponents in range(3, 10)]
    shipped = crowd.crowd_table()
    assert len(set(shipped.won.sum(axis=(1, 2)).tolist())) == 1


@pytest.mark.parametrize("opponents", [3, 5, 9])
def test_the_table_agrees_with_sampling_the_hand(opponents: int) -> None:
    hands = np.array([FRENCH.parse(text) for text in ("AsAd", "KhAh", "2c7d", "7d2c", "9s8s")], dtype=np.int64)
    numerator, denominator = crowd_equities(hands, opponents)
    mean, error = sampled_equity(hands, np.full((5, 5), -1), opponents, 40_000, np.arange(5, dtype=np.uint64))
    assert np.abs((numerator / denominator - mean) / error).max() < 4.5
    assert numerator[2] == numerator[3]


def test_a_damaged_file_is_not_read(tmp_path: Path) -> None:
    path, whole = tmp_path / "crowd.bin", bytearray(crowd.SHIPPED.read_bytes())
    few = crowd.deal_table(1_000)
    crowd.write_table(path, few)
    again = crowd.read_table(path)
    assert again is not None
    assert (again.won == few.won).all()
    assert (again.deals == few.deals).all()
    whole[len(whole) // 2] ^= 1
    path.write_bytes(whole)
    assert crowd.read_table(path) is None
    assert crowd.read_table(tmp_path / "none.bin") is None
