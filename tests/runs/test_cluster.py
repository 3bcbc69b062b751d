import os
import signal
import threading

import pytest
from distributed import LocalCluster

import walkon
from small_runs import KITCHEN, SMALL, small_trials
from waiting import until
from walkon.runs.run import Alone, Cluster, run
from walkon.runs.store import Store

pytestmark = pytest.mark.filterwarnings("default")  # Dask's own


@pytest.fixture(scope="module")
def workers(tmp_path_factory):
    scratch = tmp_path_factory.mktemp("dask")
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", local_directory=scratch, silence_logs=50
    ) as local:
        yield local


def results(folder, pool, trials, watch=None):
    try:
        with Store(folder, write=True) as store:
            store.begin({}, {})
            run(trials, store, pool, watch)
            return [(row.trial.key, row.task, row.library, row.numbers) for row in store.rows(t.key for t in trials)]
    finally:
        pool.close()


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    trials = small_trials(SMALL, KITCHEN)
    return results(folder / "run", Alone(str(folder)), trials)


def test_a_cluster_gives_the_same_results(tmp_path, workers, alone):
    assert results(tmp_path, Cluster(workers.scheduler_address), small_trials(SMALL, KITCHEN)) == alone


def test_a_worker_that_dies_is_replaced_and_its_work_done_again(tmp_path, workers, alone):
    victims = [nanny.pid for nanny in workers.workers.values()][:1]
    struck = threading.Event()

    def watch(progress):
        if progress.solved >= 1 and not struck.is_set():
            struck.set()
            os.kill(victims[0], signal.SIGKILL)

    assert results(tmp_path, Cluster(workers.scheduler_address), small_trials(SMALL, KITCHEN), watch) == alone
    assert struck.is_set()
    until(lambda: victims[0] not in [nanny.pid for nanny in workers.workers.values()], "the dead one was not replaced")


def test_an_address_where_nobody_answers_is_named(monkeypatch):
    monkeypatch.setattr("walkon.runs.run.PATIENCE", "1s")
    with pytest.raises(walkon.InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        Cluster("tcp://127.0.0.1:9")
