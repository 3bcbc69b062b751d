"""The commands of docs/service.md do what the page says."""

import http.client
import json
import re
import shlex
from pathlib import Path

import walkon
from random_libraries import quick_agent
from services import Service
from waiting import PATIENCE

PAGE = Path(__file__).parents[2] / "docs" / "service.md"


def sent(line, port):
    """A request as curl would send it."""
    words = shlex.split(line)[1:]
    options = {words[i]: words[i + 1] for i in range(len(words)) if words[i] in ("-X", "-H", "-d")}
    (path,) = (re.fullmatch(r"http://127\.0\.0\.1:8090(/.*)", word)[1] for word in words if word.startswith("http"))
    name, _, value = options.get("-H", "accept: */*").partition(": ")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request(options.get("-X", "GET"), path, options.get("-d"), {name: value})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_every_line_for_curl_is_answered(tmp_path):
    walkon.save(quick_agent("atpo", walkon.make("night-pursuit", size=3, tasks=2)), tmp_path / "agent")
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("curl ")]
    assert len(lines) == 10
    with Service("agent", tmp_path / "agent") as service:
        answers = [sent(line, service.port) for line in lines]
    assert [status for status, _ in answers] == [200, 201, 200, 200, 200, 200, 200, 200, 200, 200]
    assert json.loads(answers[3][1])["step"] == 2
    assert json.loads(answers[6][1])["exact"]


def test_the_answer_that_is_shown_has_the_fields_of_an_answer():
    from walkon.service.messages import Answer

    shown = json.loads(re.search(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)[1])
    assert Answer(**shown).model_dump().keys() == shown.keys()
