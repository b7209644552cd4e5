"""Every operation of Cloudflare's SDK for Python, for clients/walk.ts.

First a line of JSON for each operation with the method and path that it calls, found by calling it with a transport that
sends nothing; then each that is asked for on a line of the input.
"""

import inspect
import itertools
import json
import os
import sys
import urllib.parse

import httpx
from cloudflare import Cloudflare
from cloudflare._resource import SyncAPIResource

# Nothing that is made for a walk has as many.
ITEMS_MAX = 5_000
OTHERS = ("extra_headers", "extra_query", "extra_body", "timeout")
sent = None


class Nothing(httpx.BaseTransport):
    def handle_request(self, request):
        global sent
        sent = request
        raise httpx.ConnectError("nothing is sent")


def find_methods(resource, name, found):
    for key, member in inspect.getmembers(type(resource)):
        if key.startswith("_") or key in ("with_raw_response", "with_streaming_response"):
            continue
        if inspect.isfunction(member):
            found[f"{name}.{key}"] = getattr(resource, key)
        else:
            find_below(resource, key, f"{name}.{key}", found)


def find_below(resource, key, name, found):
    try:
        below = getattr(resource, key)
    except ImportError:
        # Of pipelines: modules of the SDK import each other in a circle.
        return
    if isinstance(below, SyncAPIResource):
        find_methods(below, name, found)


def methods_of(client):
    found = {}
    for key in dir(type(client)):
        if key.startswith("_") or key.startswith("with_"):
            continue
        find_below(client, key, key, found)
    return found


def parameters_of(method):
    return {key: each for key, each in inspect.signature(method).parameters.items() if key not in OTHERS}


def list_all():
    """What an operation sends when each of its parameters is its own name, once in an account and once in a zone."""
    global sent
    recording = Cloudflare(api_token="none", max_retries=0, http_client=httpx.Client(transport=Nothing()))
    lines = {}
    for what, method in methods_of(recording).items():
        parameters = parameters_of(method)
        for where in ("account_id", "zone_id"):
            given = {
                key: f"__{key}__"
                for key, each in parameters.items()
                if each.default is inspect.Parameter.empty or key == where
            }
            # The parts of the path come before those that have names only.
            sent = None
            try:
                method(**given)
            except Exception:
                pass
            if sent is None:
                continue
            path = urllib.parse.unquote(sent.url.path)
            line = {"what": what, "method": sent.method, "path": path, "usesBody": "body" in parameters}
            lines[json.dumps(line)] = None
    print("\n".join(lines))
    print("", flush=True)


def revive(value):
    """Files are described, since JSON has none."""
    if isinstance(value, list):
        return [revive(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "$file" in value:
        file = value["$file"]
        return (file["name"], file["text"].encode(), file["type"])
    return {key: revive(each) for key, each in value.items()}


def ask(method, asked):
    parameters = parameters_of(method)
    given = {**asked["path"], **asked["query"]}
    body = revive(asked.get("body"))
    more = {}
    if asked["usesBody"]:
        given["body"] = body
    elif isinstance(body, dict):
        given.update({key: each for key, each in body.items() if key in parameters and key not in given})
        more = {key: each for key, each in body.items() if key not in parameters}
    else:
        more = body
    result = method(**given, **({"extra_body": more} if more else {}))
    if hasattr(result, "iter_pages"):
        if sum(1 for _ in itertools.islice(result, ITEMS_MAX)) == ITEMS_MAX:
            raise ValueError("its pages do not end")
    elif hasattr(result, "read"):
        result.read()


list_all()
methods = methods_of(
    Cloudflare(
        api_token=os.environ["GATEHOUSE_TOKEN"], base_url=os.environ["GATEHOUSE_API"], max_retries=0, timeout=60
    )
)
for line in sys.stdin:
    asked = json.loads(line)
    problem = None
    try:
        ask(methods[asked["what"]], asked)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    print(json.dumps({"what": asked["what"], "problem": problem}), flush=True)
