from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.model_file import Model, read_model, write_model


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.mz"
    arrays = {"a": np.arange(6, dtype=np.int32).reshape(2, 3), "b": np.array([1.5, -np.inf])}
    write_model(path, Model("hero", {"trees": 3, "names": ["x", "y"]}, arrays))
    return path


def _sealed(body: bytes) -> bytes:
    return b"mazzo model, version 1\n" + hashlib.blake2b(body, digest_size=32).digest() + body


def test_a_model_comes_back_as_it_was(file: Path) -> None:
    model = read_model(file)
    assert model.agent == "hero"
    assert model.settings == {"trees": 3, "names": ["x", "y"]}
    assert model.arrays["a"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert model.arrays["b"].tolist() == [1.5, -np.inf]
    assert model.arrays["a"].dtype == np.int32


@pytest.mark.parametrize("keep", [30, 60, -1])
def test_a_file_cut_short_is_refused(file: Path, keep: int) -> None:
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(UnreadableError, match="damaged or cut short"):
        read_model(file)


def test_a_changed_byte_is_noticed(file: Path) -> None:
    raw = bytearray(file.read_bytes())
    raw[-3] ^= 1
    file.write_bytes(raw)
    with pytest.raises(UnreadableError, match="checksum"):
        read_model(file)


def test_a_newer_version_is_named_and_what_to_do(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"version 1", b"version 2", 1))
    with pytest.raises(UnreadableError, match=r"version 2.*upgrade"):
        read_model(file)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 something else", b"\x80\x04\x95 a pickle", b"\xff" * 100])
def test_a_file_that_is_not_ours_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.mz"
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match="not a model of Mazzo"):
        read_model(path)


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"nowhere\.mz"):
        read_model(tmp_path / "nowhere.mz")


def test_lengths_in_a_file_are_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "bad.mz"
    header = (
        b'{"agent": "hero", "made_by": "0", "settings": {}, "arrays": [{"name": "a", "type": "%s", "shape": [%s]}]}'
    )
    for kind, shape, words in (
        (b"<f8", b"100", "not as long"),
        (b"<f8", b"1000000000000", "larger than any"),
        (b"<f8", b"-1", "kind"),
        (b"|O", b"1", "kind"),
    ):
        text = header % (kind, shape)
        path.write_bytes(_sealed(len(text).to_bytes(8, "little") + text + zlib.compress(b"\0" * 8)))
        with pytest.raises(UnreadableError, match=words):
            read_model(path)
    path.write_bytes(_sealed((1 << 40).to_bytes(8, "little") + b"{}"))
    with pytest.raises(UnreadableError, match="longer than the file"):
        read_model(path)


def test_objects_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="cannot be kept"):
        write_model(tmp_path / "x.mz", Model("hero", {}, {"a": np.array([object()])}))
