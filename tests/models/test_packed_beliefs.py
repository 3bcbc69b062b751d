import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from walkon.models.packed_beliefs import pack, unpack_states

values = st.sampled_from([0.0, 0.0, 0.25, 1e-300])


@given(st.lists(st.lists(values, max_size=9), max_size=4))
def test_what_is_packed_is_unpacked(rows):
    states = [np.array(row) for row in rows]
    tasks, refuted = np.arange(len(rows)) / 8, np.arange(len(rows)) % 2.0
    packed = pack(tasks, refuted, states)
    assert [belief.tolist() for belief in unpack_states(packed, [len(row) for row in rows])] == rows
    assert packed[: len(rows)].tolist() == tasks.tolist()
    assert packed[len(rows) : 2 * len(rows)].tolist() == refuted.tolist()


@given(st.lists(values, min_size=1, max_size=50))
def test_zeros_take_no_room(row):
    assert len(pack(np.ones(1), np.zeros(1), [np.array(row)])) == 3 + 2 * np.count_nonzero(row)
