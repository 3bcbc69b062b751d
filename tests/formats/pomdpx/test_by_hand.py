"""Small POMDPX files whose arrays are worked out by hand."""

import dataclasses

import numpy as np
import pytest

import walkon
from walkon.domains.classics import tiger
from walkon.errors import InputError
from walkon.formats.check import check
from walkon.models import flatten

TIGER = """<?xml version='1.0' encoding='ISO-8859-1'?>
<pomdpx version='0.1' id='tiger' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'
  xsi:noNamespaceSchemaLocation='pomdpx.xsd'>
<Description>listen, or open a door</Description>
<Discount>0.95</Discount>
<Variable>
  <StateVar vnamePrev="tiger_0" vnameCurr="tiger_1"><ValueEnum>left right</ValueEnum></StateVar>
  <ObsVar vname="growl"><ValueEnum>growl-left growl-right</ValueEnum></ObsVar>
  <ActionVar vname="do"><ValueEnum>listen open-left open-right</ValueEnum></ActionVar>
  <RewardVar vname="pay"/>
</Variable>
<InitialStateBelief><CondProb><Var>tiger_0</Var><Parent>null</Parent>
  <Parameter type="TBL"><Entry><Instance>-</Instance><ProbTable>uniform</ProbTable></Entry></Parameter>
</CondProb></InitialStateBelief>
<StateTransitionFunction><CondProb><Var>tiger_1</Var><Parent>do tiger_0</Parent><Parameter type="TBL">
  <Entry><Instance>* * *</Instance><ProbTable>0.5</ProbTable></Entry>
  <Entry><Instance>listen - -</Instance><ProbTable>identity</ProbTable></Entry>
</Parameter></CondProb></StateTransitionFunction>
<ObsFunction><CondProb><Var>growl</Var><Parent>do tiger_1</Parent><Parameter type="TBL">
  <Entry><Instance>* * -</Instance><ProbTable>uniform</ProbTable></Entry>
  <Entry><Instance>listen - -</Instance><ProbTable>0.85 0.15 0.15 0.85</ProbTable></Entry>
</Parameter></CondProb></ObsFunction>
<RewardFunction><Func><Var>pay</Var><Parent>do tiger_0</Parent><Parameter type="TBL">
  <Entry><Instance>listen *</Instance><ValueTable>-1</ValueTable></Entry>
  <Entry><Instance>open-left -</Instance><ValueTable>-100 10</ValueTable></Entry>
  <Entry><Instance>open-right left</Instance><ValueTable>10</ValueTable></Entry>
  <Entry><Instance>open-right right</Instance><ValueTable>-1e2</ValueTable></Entry>
</Parameter></Func></RewardFunction>
</pomdpx>
"""

# A robot, which is seen, walks between two cells; a door, which is not, is open or shut. The robot passes only if the
# door is open, by the time it comes there; the door falls shut with probability 0.25. One pays 1 for each step, and
# earns 4 on arriving in the second cell.
ROOMS = """<pomdpx version="1.0"><Discount>0.9</Discount>
<Variable>
  <StateVar vnamePrev="robot" vnameCurr="robot'" fullyObs="true"><NumValues>2</NumValues></StateVar>
  <StateVar vnamePrev="door" vnameCurr="door'"><ValueEnum>open shut</ValueEnum></StateVar>
  <ActionVar vname="walk"><ValueEnum>stay go</ValueEnum></ActionVar>
  <ActionVar vname="push"><ValueEnum>no yes</ValueEnum></ActionVar>
  <ObsVar vname="draught"><ValueEnum>none some</ValueEnum></ObsVar>
  <RewardVar vname="cost"/><RewardVar vname="gain"/>
</Variable>
<InitialStateBelief>
  <CondProb><Var>door</Var><Parent>robot</Parent><Parameter type="TBL">
    <Entry><Instance>- -</Instance><ProbTable>0.5 0.5 1 0</ProbTable></Entry></Parameter></CondProb>
  <CondProb><Var>robot</Var><Parent>null</Parent><Parameter>
    <Entry><Instance>s0</Instance><ProbTable>0.75</ProbTable></Entry>
    <Entry><Instance>1</Instance><ProbTable>0.25</ProbTable></Entry></Parameter></CondProb>
</InitialStateBelief>
<StateTransitionFunction>
  <CondProb><Var>robot'</Var><Parent>walk robot door'</Parent><Parameter type="DD">
    <DAG><Node var="walk">
      <Edge val="stay"><SubDAG type="persistent" var="robot'"/></Edge>
      <Edge val="go"><Node var="door'">
        <Edge val="shut"><SubDAG type="persistent" var="robot'"/></Edge>
        <Edge val="open"><SubDAG type="template" idref="across"/></Edge>
      </Node></Edge>
    </Node></DAG>
    <SubDAGTemplate id="across"><Node var="robot">
      <Edge val="s0"><SubDAG type="deterministic" var="robot'" val="s1"/></Edge>
      <Edge val="s1"><Node var="robot'"><Edge val="s0"><Terminal>1.0</Terminal></Edge></Node></Edge>
    </Node></SubDAGTemplate>
  </Parameter></CondProb>
  <CondProb><Var>door'</Var><Parent>push door</Parent><Parameter type="TBL">
    <Entry><Instance>* open -</Instance><ProbTable>0.75 0.25</ProbTable></Entry>
    <Entry><Instance>* shut -</Instance><ProbTable>0 1</ProbTable></Entry>
    <Entry><Instance>yes shut *</Instance><ProbTable>0.5</ProbTable></Entry>
  </Parameter></CondProb>
</StateTransitionFunction>
<ObsFunction><CondProb><Var>draught</Var><Parent>door'</Parent><Parameter type="TBL">
  <Entry><Instance>- -</Instance><ProbTable>0.25 0.75 1 0</ProbTable></Entry></Parameter></CondProb></ObsFunction>
<RewardFunction>
  <Func><Var>cost</Var><Parent>null</Parent><Parameter type="TBL">
    <Entry><Instance>-</Instance><ValueTable>-1</ValueTable></Entry></Parameter></Func>
  <Func><Var>gain</Var><Parent>robot robot' draught</Parent><Parameter type="TBL">
    <Entry><Instance>s0 s1 *</Instance><ValueTable>4</ValueTable></Entry>
    <Entry><Instance>s0 s1 some</Instance><ValueTable>8</ValueTable></Entry></Parameter></Func>
</RewardFunction></pomdpx>
"""


@pytest.fixture
def read(tmp_path):
    def read(text, **options):
        path = tmp_path / "model.pomdpx"
        path.write_text(text)
        return walkon.read_pomdpx(path, **options)

    return read


def test_the_tiger_is_the_classic(read):
    model, classic = read(TIGER), tiger()
    assert model.hash == dataclasses.replace(classic, O=[[[0.85, 0.15], [0.15, 0.85]], *classic.O[1:]]).hash
    assert model.states == ("left", "right")
    assert model.actions == ("listen", "open-left", "open-right")
    assert model.observations == ("growl-left", "growl-right")
    assert repr(model) == repr(classic)


def test_variables_are_multiplied_in_the_order_of_the_file(read):
    model = read(ROOMS)
    assert model.states == ("s0, open", "s0, shut", "s1, open", "s1, shut")
    assert model.actions == ("stay, no", "stay, yes", "go, no", "go, yes")
    assert model.observations == ("s0, none", "s0, some", "s1, none", "s1, some")
    np.testing.assert_array_equal(model.start, [0.375, 0.375, 0.25, 0])


def test_a_variable_may_depend_on_another_after_the_step(read):
    P = [p.toarray() for p in read(ROOMS).P]
    stay, go = [[0.75, 0.25, 0, 0], [0, 1, 0, 0], [0, 0, 0.75, 0.25], [0, 0, 0, 1]], np.zeros((4, 4))
    np.testing.assert_array_equal(P[0], stay)
    np.testing.assert_array_equal(P[1], [stay[0], [0.5, 0.5, 0, 0], stay[2], [0, 0, 0.5, 0.5]])
    go[0] = [0, 0.25, 0.75, 0]  # across if the door is open after the step, else not
    go[1], go[3] = [0, 1, 0, 0], [0, 0, 0, 1]
    go[2] = [0.75, 0, 0, 0.25]
    np.testing.assert_array_equal(P[2], go)
    go[1], go[3] = [0, 0.5, 0.5, 0], [0.5, 0, 0, 0.5]
    np.testing.assert_array_equal(P[3], go)


def test_what_is_seen_is_part_of_the_observation(read):
    sensor = [[0.25, 0.75, 0, 0], [1, 0, 0, 0], [0, 0, 0.25, 0.75], [0, 0, 1, 0]]
    for o in read(ROOMS).O:
        np.testing.assert_array_equal(o.toarray(), sensor)


def test_rewards_are_added_up_and_averaged_over_what_follows(read):
    R = read(ROOMS).R
    np.testing.assert_array_equal(R[:, :2], -1)
    across = 0.75 * 8 + 0.25 * 4  # for the door is open then
    np.testing.assert_array_equal(R[:, 2], [0.75 * across - 1, -1, -1, -1])
    np.testing.assert_array_equal(R[:, 3], [0.75 * across - 1, 0.5 * across - 1, -1, -1])


def test_factors_keep_only_the_parents_that_matter_under_an_action(read):
    factored = read(ROOMS).factored
    stay, _, go, _ = factored.transitions
    assert [axis.layer for axis in stay[0].axes] == ["before", "after"]
    assert [(axis.layer, axis.number) for axis in go[0].parents] == [("before", 0), ("after", 1)]
    assert stay[1].table.toarray().tolist() == [[0.75, 0.25], [0, 1]]
    assert factored.sensors[0][0] is factored.sensors[3][0]
    assert [each.name for each in factored.seen] == ["robot"]


def test_without_observations_nothing_is_observed_but_what_is_seen(read):
    start, rest = ROOMS.split("<ObsFunction>")
    cut = start.split("<ObsVar")[0] + start.split("</ObsVar>")[1] + rest.split("</ObsFunction>")[1]
    cut = cut.replace("robot robot' draught", "robot robot'").replace("s0 s1 *", "s0 s1").replace("s0 s1 some", "s1 s1")
    model = read(cut)
    np.testing.assert_array_equal(model.O[0].toarray(), [[1, 0], [1, 0], [0, 1], [0, 1]])
    assert model.observations is None
    hidden = read(cut.replace(' fullyObs="true"', ""))
    np.testing.assert_array_equal(hidden.O[0].toarray(), np.ones((4, 1)))


def test_another_discount_keeps_the_factors_and_other_matrices_drop_them(read):
    model = read(ROOMS)
    other = model.with_discount(0.8).with_discount(0.5)
    assert "P" not in vars(model)
    assert other.factored.discount == other.discount == 0.5
    assert other.factored.transitions is model.factored.transitions
    np.testing.assert_array_equal(other.P[2].toarray(), model.P[2].toarray())
    assert dataclasses.replace(model, R=2 * model.R).factored is None
    assert model.factored.discount == 0.9
    assert model.mdp.with_discount(0.5).discount == 0.5
    with pytest.raises(InputError, match="discount is 2"):
        model.with_discount(2)


def test_the_matrices_are_made_when_they_are_first_used(read):
    model = read(ROOMS)
    assert "P" not in vars(model)
    assert repr(model) == "POMDP(4 states, 4 actions, 4 observations, discount 0.9)"
    assert "P" not in vars(model)
    assert model.P[0].shape == (4, 4)
    with pytest.raises(AttributeError, match="no attribute 'Q'"):
        _ = model.Q


def test_a_model_can_be_solved_saved_and_given_another_discount(read, tmp_path):
    model = read(TIGER)
    walkon.save(model, tmp_path / "tiger.safetensors")
    assert walkon.load(tmp_path / "tiger.safetensors").hash == model.hash
    assert dataclasses.replace(model, discount=0.5).discount == 0.5
    solution = walkon.solve(model, walkon.Sarsop(gap=0.1))
    assert solution.lower == pytest.approx(19.37, abs=0.1)


def many_coins(count):
    """So many coins, each of which is tossed at each step."""
    coins = range(count)
    variables = "".join(
        f'<StateVar vnamePrev="c{i}" vnameCurr="d{i}"><NumValues>2</NumValues></StateVar>' for i in coins
    )

    def tossed(letter):
        return "".join(
            f"<CondProb><Var>{letter}{i}</Var><Parent>null</Parent><Parameter><Entry><Instance>-</Instance>"
            "<ProbTable>uniform</ProbTable></Entry></Parameter></CondProb>"
            for i in coins
        )

    return (
        f"<pomdpx><Discount>0.9</Discount><Variable>{variables}"
        '<ActionVar vname="a"><NumValues>1</NumValues></ActionVar></Variable>'
        f"<InitialStateBelief>{tossed('c')}</InitialStateBelief>"
        f"<StateTransitionFunction>{tossed('d')}</StateTransitionFunction></pomdpx>"
    )


@pytest.mark.parametrize("coins", [16, 30, 300])  # 65,536 states, more than rows may be, more than can be counted
def test_matrices_that_are_too_large_are_refused_before_they_are_made(read, tmp_path, coins):
    model = read(many_coins(coins))
    assert model.factored.shape[0] == 2**coins
    with pytest.raises(walkon.InputError, match=r"would take about .* GiB, more than 1 GiB: .* pomdp\.factored"):
        _ = model.P
    assert "GiB" in check(tmp_path / "model.pomdpx").mistake.message
    walkon.write_pomdpx(model, tmp_path / "copy.pomdpx")
    assert walkon.read_pomdpx(tmp_path / "copy.pomdpx").factored.shape == model.factored.shape


def test_eight_coins_are_uniform(read):
    model = read(many_coins(8))
    np.testing.assert_allclose(model.P[0].toarray(), 1 / 256)


def test_the_limit_holds_where_nothing_was_foreseen(read, monkeypatch):
    monkeypatch.setattr(flatten, "_estimate", lambda model: 0)
    monkeypatch.setattr(flatten, "LARGEST", 2**20)
    assert read(many_coins(8)).P[0].nnz == 2**16
    with pytest.raises(walkon.InputError, match=r"over 512 states, .* would take more than 0\.\d+ GiB: use"):
        _ = read(many_coins(9)).P


def test_rewards_of_too_many_combinations_are_refused(read, monkeypatch):
    monkeypatch.setattr(flatten, "MOST_COMBINATIONS", 7)
    with pytest.raises(walkon.InputError, match="the rewards of one action depend on over 7 combinations"):
        _ = read(ROOMS).R
