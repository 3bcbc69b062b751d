"""The readers under a fuzzer that is guided by coverage: `python tests/fuzz/fuzz_formats.py pomdp -max_total_time=60`.

The first argument is the reader, `pomdp`, `pomdpx`, `dpomdp`, `policy`, `csv`, `bundle` or `episode`; the others are
those of libFuzzer. The program ends with an error, and leaves the input in a file, as soon as a reader raises
anything but an InputError, or takes too long.
"""

import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from walkon.errors import InputError

FACTORS = b"""<pomdpx>\
<Discount>0.9</Discount><Variable><StateVar vnamePrev="x" vnameCurr="y" fullyObs="true"><NumValues>2\
</NumValues></StateVar><ActionVar vname="a"><ValueEnum>p q</ValueEnum></ActionVar><ObsVar vname="z">\
<NumValues>2</NumValues></ObsVar><RewardVar vname="w"/></Variable><InitialStateBelief><CondProb><Var>x</Var>\
<Parent>null</Parent><Parameter><Entry><Instance>-</Instance><ProbTable>0.33 0.66</ProbTable></Entry>\
</Parameter></CondProb></InitialStateBelief><StateTransitionFunction><CondProb><Var>y</Var><Parent>a x\
</Parent><Parameter><Entry><Instance>* - -</Instance><ProbTable>identity</ProbTable></Entry><Entry>\
<Instance>p * -</Instance><ProbTable>uniform</ProbTable></Entry></Parameter></CondProb>\
</StateTransitionFunction><ObsFunction><CondProb><Var>z</Var><Parent>y</Parent><Parameter type="DD"><DAG>\
<Node var="y"><Edge val="s0"><SubDAG type="uniform" var="z"/></Edge><Edge val="1">\
<SubDAG type="template" idref="t"/></Edge></Node></DAG><SubDAGTemplate id="t"><Node var="z"><Edge val="o0">\
<Terminal>1</Terminal></Edge></Node></SubDAGTemplate></Parameter></CondProb></ObsFunction><RewardFunction>\
<Func><Var>w</Var><Parent>a y</Parent><Parameter><Entry><Instance>p -</Instance><ValueTable>1 2</ValueTable>\
</Entry></Parameter></Func></RewardFunction></pomdpx>"""
SEEDS = {
    "pomdp": [
        b"discount: 0.9\nvalues: cost\nstates: a b\nactions: go stay\nobservations: 2\nstart include: a\n"
        b"T: go identity\nT: stay : a uniform\nT: * : b reset\nT: go : a : b 0.5\nT: go : a : a 5e-1 # half\n"
        b"O: *\n0.5 0.5\n0 1\nR: go : a : b : 1 3\nR: * : b : *\n1 2\nR: stay : a\n1 2 3 4\n",
        b'#@ state a "an a"\nstates: a b actions: 1 discount: 0 values: reward\n'
        b"T: 0 uniform R: 0 : a : b - 1 R: 0\n1 2 3 4",
        b"discount: 1\nvalues: reward\nstates: 3\nactions: 1\nobservations: 2\nstart: 0.33 0.33 0.33\n"
        b"T: * : * : * 0.333\nT: 0 : 2 reset\nO: * : *\n0.333 6.67e-1\nO: 0 : 1\n0.334 0.667\n",
    ],
    "pomdpx": [FACTORS],
    "dpomdp": [
        b"agents: 2\ndiscount: 0.9\nvalues: cost\nstates: p q\nstart: 0.33 0.66\nactions:\nu v\n2\nobservations:\n2\n"
        b"m n\nT: * :\nidentity\nT: u * : p :\n0.5 0.5\nO: 3 :\nuniform\nO: * : * : * m : 0.25\nO: * : * : * n : 0.25\n"
        b"R: * : p : q : 0 n : 5\nR: u 1 : q : * :\n1 2 3 4\n",
    ],
    "policy": [
        b'<?xml version="1.0" encoding="ISO-8859-1"?><Policy version="0.1" type="value" model="m">'
        b'<AlphaVector vectorLength="2" numObsValue="1" numVectors="2">'
        b'<Vector action="0" obsValue="0">1 2.5e0 </Vector>'
        b'<SparseVector action="1" obsValue="0"><Entry>1 -3</Entry></SparseVector></AlphaVector></Policy>',
        b'# planes\n{ policyType => "MaxPlanesLowerBound", numPlanes => 2, planes => [ { action => 0, numEntries => 2, '
        b"entries => [ 0, 24.5, 1, -3e0 ] }, { action => 1, observed state val => 0, numEntries => 1, "
        b"entries => [ 1, .5 ] } ] }",
    ],
    "csv": [
        b'episode,step,action,observation,state,teammates,reward\n1,0,left,near,"agent 1, mate 2",stay,-1\n1,1,,,x,,\n',
        b"step,episode,observation,action\r\n0,a,z,up\r\n\r\n1,a,,\r\n",
    ],
}


MADE = """
import sys
import numpy as np
import walkon
from random_libraries import quick_agent
from walkon.formats.episode_file import Recording, write_episode
from walkon.trials.trial import Trial, WorldSpec

library = walkon.make("night-pursuit", size=3, tasks=1)
agent = quick_agent("atpo", library)
if sys.argv[1] == "bundle":
    walkon.save(agent, sys.argv[2])
else:
    memories = []
    episode = walkon.play(library[0], agent, horizon=3, watch=memories.append)
    choices = np.array([agent.act(memory) for memory in memories])
    trial = Trial(world=WorldSpec.of("night-pursuit", size=3, tasks=1), played_by=0)
    write_episode(Recording(trial, library, episode, choices), sys.argv[2])
"""  # in a process of its own: kernels cannot be compiled while the fuzzer watches imports


def main() -> None:
    """Fuzz the reader that the first argument names."""
    # Not at the top: only the long tests have the fuzzer, and it must see the readers being imported.
    import atheris

    with atheris.instrument_imports(include=["walkon.formats", "walkon.formats.episode_file"]):
        from walkon.formats.bundle import load
        from walkon.formats.cassandra.reader import read_model
        from walkon.formats.dpomdp.reader import read_dpomdp
        from walkon.formats.episode_file import read_episode
        from walkon.formats.log_file import read_log
        from walkon.formats.policy_xml import read_policy
        from walkon.formats.pomdpx.reader import read_pomdpx

    def read_factors(path: Path) -> None:
        """Read the factors, and make the matrices."""
        assert read_pomdpx(path).hash

    name = sys.argv.pop(1)
    readers = {"pomdp": read_model, "policy": read_policy, "csv": read_log, "bundle": load, "episode": read_episode}
    readers |= {"pomdpx": read_factors, "dpomdp": read_dpomdp}
    reader = readers[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"input.{name}"
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for i, seed in enumerate(SEEDS.get(name, ())):
            (corpus / str(i)).write_bytes(seed)
        if name not in SEEDS:
            subprocess.run(
                [sys.executable, "-c", MADE, name, corpus / "made"], cwd=Path(__file__).parents[1], check=True
            )

        def one_input(data: bytes) -> None:
            path.write_bytes(data)
            with suppress(InputError):
                reader(path)

        atheris.Setup([*sys.argv, "-timeout=20", "-rss_limit_mb=6000", str(corpus)], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
