"""The OpenAPI document as a page that loads nothing else: no script, no font."""

import json
from typing import Any

from walkon.html import Markup, element, escape, folded, joined, link, paragraph, table

LIMITS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "pattern")
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
code, pre { font: 14px/1.4 ui-monospace, monospace; background: #f3f3f3; border-radius: 4px; }
pre { padding: .6rem; overflow-x: auto; } code { padding: 0 .2rem; }
summary { cursor: pointer; padding: .3rem 0; } details { border-top: 1px solid #ccc; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } code, pre { background: #2a2a2a; } }
"""


def page(document: dict[str, Any]) -> str:
    """Return the HTML of an OpenAPI document."""
    about = document["info"]
    requests = [
        _request(document, method.upper(), path, request)
        for path, methods in document["paths"].items()
        for method, request in methods.items()
    ]
    body = joined(
        element("h1", f"{about['title']} {about['version']}"),
        paragraph(about["description"]),
        element("p", "The same for programs: ", link("openapi.json", "openapi.json")),
        *requests,
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(about["title"])}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>{body}</body></html>\n'
    )


def _request(document: dict[str, Any], method: str, path: str, request: dict[str, Any]) -> Markup:
    """Describe one request."""
    parts = [paragraph(request.get("description", ""))]
    body = request.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body is not None:
        parts += [element("h4", "Send"), _fields(document, body)]
    for status, answer in request["responses"].items():
        schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
        if status < "300":
            parts += [element("h4", f"Answer {status}"), _fields(document, schema)]
        else:
            parts.append(element("p", element("code", status), f" {answer['description']}"))
    return folded(element("code", f"{method} {path}"), joined(*parts))


def _fields(document: dict[str, Any], schema: dict[str, Any]) -> Markup:
    """List the fields of an object in a table."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    rows = [
        (element("code", name), _kind(field), str(field.get("description", "")))
        for name, field in schema.get("properties", {}).items()
    ]
    return table(("field", "value", "meaning"), rows) if rows else paragraph("Text.")


def _kind(field: dict[str, Any]) -> str:
    """Describe the type of a field."""
    if "$ref" in field:
        return str(field["$ref"].rpartition("/")[2])
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(map(_kind, field["anyOf"])))
    if field.get("type") == "array":
        return f"list of {_kind(field.get('items', {}))}"
    limits = {name: field[name] for name in LIMITS if name in field}
    return str(field.get("type", "anything")) + (f" {json.dumps(limits)}" if limits else "")
