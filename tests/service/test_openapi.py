"""The OpenAPI page against a service that runs: what may be sent by it is answered as it says, never with a 500."""

import pytest
import schemathesis
from hypothesis import given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

import walkon
from conftest import LONG
from random_libraries import quick_agent, random_library
from services import Service
from waiting import PATIENCE


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    bundle = tmp_path_factory.mktemp("openapi") / "agent.safetensors"
    walkon.save(quick_agent("atpo", random_library(3)), bundle)
    with Service("agent", bundle, "--sessions", 100_000, "--deadline", PATIENCE) as service:
        with walkon.Client(service.ready["address"], patience=PATIENCE) as client:
            client.open(id="0")  # one whose name is found soon
        yield schemathesis.openapi.from_url(f"{service.ready['address']}openapi.json")


DEEDS = [
    ("POST", "/sessions"),
    ("GET", "/sessions"),
    ("GET", "/sessions/{session}"),
    ("POST", "/sessions/{session}/steps"),
    ("GET", "/sessions/{session}/replay"),
    ("DELETE", "/sessions/{session}"),
    ("GET", "/agent"),
    ("GET", "/health"),
    ("GET", "/metrics"),
]


def test_all_that_can_be_asked_for_is_tried(api):
    assert sorted((each.ok().method.upper(), each.ok().path) for each in api.get_all_operations()) == sorted(DEEDS)


@pytest.mark.parametrize(("method", "path"), DEEDS)
def test_the_service_does_as_its_page_says(api, method, path):
    deed = api[path][method]
    allowed, wrong = (deed.as_strategy(generation_mode=mode) for mode in GenerationMode)
    answered = set()

    @settings(max_examples=500 if LONG else 25)
    @given(case=st.one_of(allowed, allowed.map(in_a_session), wrong))
    def tried(case):
        # Which numbers and names the agent knows, no schema says: what is allowed may still be refused with a reason.
        answered.add(case.call_and_validate(timeout=PATIENCE, excluded_checks=[positive_data_acceptance]).status_code)

    tried()
    assert answered & {200, 201}
    assert answered <= {200, 201, 404, 405, 409, 422}


def in_a_session(case):
    """The same in a session that is there."""
    if "{session}" in case.path:
        case.path_parameters["session"] = "0"
    return case
