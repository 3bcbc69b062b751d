import numpy as np
import pytest

import walkon
from walkon.runs.columns import columns_of, pack, unpack


def test_the_columns_of_an_episode_are_the_same_after_packing():
    library = walkon.make("night-pursuit", size=3, tasks=2)
    episode = walkon.play(library[0], walkon.agent("random", library), seed=1)
    columns = columns_of(episode)
    again = unpack(pack(columns))
    assert (
        again.keys() == columns.keys() == {"states", "actions", "teammate_actions", "observations", "rewards", "counts"}
    )
    for name, column in columns.items():
        assert np.array_equal(again[name], column)


def test_equal_columns_give_equal_bytes_whatever_their_order():
    some, other = np.arange(3), np.linspace(0, 1, 4)
    assert pack({"a": some, "b": other}) == pack({"b": other.copy(), "a": some.copy()})
    assert unpack(pack({})) == {}


@pytest.mark.parametrize("content", [b"", b"not at all", pack({"a": np.arange(9)})[:-4]])
def test_bytes_that_are_no_columns_are_refused(content):
    with pytest.raises(walkon.InputError, match="cannot be read"):
        unpack(content)
