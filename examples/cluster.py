"""A large experiment on a Dask cluster: the same command as on one machine, here with two workers and few trials."""

from pathlib import Path

from distributed import LocalCluster
from typer.testing import CliRunner

from walkon.cli.main import app

EXPERIMENT = (
    "compare night-pursuit --size 3 --vary noise=0.1,0.3 --agent perseus --agent atpo --trials 20 --effort quick"
)

if __name__ == "__main__":
    # On a real cluster: `dask scheduler`, `dask worker ADDRESS` on each machine, and `--cluster ADDRESS` here.
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None) as it:
        words = [*EXPERIMENT.split(), "--out", "experiment", "--cluster", it.scheduler_address]
        done = CliRunner().invoke(app, words, catch_exceptions=False)
    print("$ walkon", EXPERIMENT, "--out experiment --cluster ADDRESS")
    print(done.stdout, end="")
    (Path("experiment") / "figure.svg").rename("cluster.svg")
