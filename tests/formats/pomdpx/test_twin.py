"""What a POMDPX file means, number by number: random files against a twin that looks every number up."""

from unittest import mock

import numpy as np
from hypothesis import HealthCheck, given, settings

from factored_files import files, to_xml, twin
from walkon import read_pomdpx, write_pomdpx
from walkon.models import flatten

ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@ONE_FOLDER
@given(file=files())
def test_the_matrices_are_those_of_the_twin(tmp_path, file):
    path = tmp_path / "model.pomdpx"
    path.write_text(to_xml(file))
    model = read_pomdpx(path)
    P, O, R, start = twin(file)
    np.testing.assert_allclose([p.toarray() for p in model.P], P, rtol=0, atol=1e-12)
    np.testing.assert_allclose([o.toarray() for o in model.O], O, rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.R, R, rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.start, start, rtol=0, atol=1e-12)


@ONE_FOLDER
@given(file=files())
def test_blocks_of_any_size_make_the_same_matrices(tmp_path, file):
    path = tmp_path / "model.pomdpx"
    path.write_text(to_xml(file))
    whole, blocks = read_pomdpx(path), read_pomdpx(path)
    with mock.patch.multiple(flatten, BLOCK=3, AT_ONCE=4):
        assert blocks.hash == whole.hash


@ONE_FOLDER
@given(file=files())
def test_the_estimate_is_exact_where_nothing_depends_on_the_same_step(tmp_path, file):
    path = tmp_path / "model.pomdpx"
    path.write_text(to_xml(file))
    model = read_pomdpx(path)
    alone = [
        all(axis.layer != layer for axis in factor.parents)
        for layer, tables in (("after", model.factored.transitions), ("observed", model.factored.sensors))
        for factors in tables
        for factor in factors
    ]
    made = sum(p.nnz for p in model.P) + sum({id(o): o.nnz for o in model.O}.values())
    estimate = flatten._estimate(model.factored)
    assert abs(estimate - made) <= 1 if all(alone) else estimate <= made


@ONE_FOLDER
@given(file=files())
def test_factors_that_were_written_are_read_back_to_the_last_bit(tmp_path, file):
    path, copy = tmp_path / "model.pomdpx", tmp_path / "copy.pomdpx"
    path.write_text(to_xml(file))
    model = read_pomdpx(path)
    write_pomdpx(model, copy)
    again = read_pomdpx(copy)
    assert again.hash == model.hash
    assert (again.states, again.actions, again.observations) == (model.states, model.actions, model.observations)
    assert [each.seen for each in again.factored.states] == file.seen
