"""Cloudflare's SDK for Python against a server: creates, reads and deletes what the server serves.

Prints a line of JSON for each call. It is run by clients/sdks.ts.
"""

import json
import os

from cloudflare import Cloudflare, DefaultHttpxClient

group = ""


def report(what, problem):
    print(json.dumps({"what": what, "problem": problem}), flush=True)


def note(response):
    """Each call that goes well; one that does not is what the SDK throws."""
    if response.status_code < 400:
        report(f"{group}: {response.request.method} {response.request.url.path}", None)


client = Cloudflare(
    api_token=os.environ["GATEHOUSE_TOKEN"],
    base_url=os.environ["GATEHOUSE_API"],
    max_retries=0,
    http_client=DefaultHttpxClient(event_hooks={"response": [note]}),
)
zone = os.environ["GATEHOUSE_ZONE"]
name = os.environ["GATEHOUSE_ZONE_NAME"]
account = os.environ["GATEHOUSE_ACCOUNT"]

path = 'http.request.uri.path eq "/python"'
limit = {
    "characteristics": ["cf.colo.id", "ip.src"],
    "period": 60,
    "requests_per_period": 5,
    "mitigation_timeout": 60,
}
fields = {"headers": {"x-python": {"operation": "set", "value": "yes"}}}
phases = {
    "http_ratelimit": {"action": "block", "ratelimit": limit},
    "http_request_dynamic_redirect": {
        "action": "redirect",
        "action_parameters": {
            "from_value": {"target_url": {"value": "https://new.example/"}, "status_code": 301}
        },
    },
    "http_request_transform": {
        "action": "rewrite",
        "action_parameters": {"uri": {"path": {"value": "/new"}}},
    },
    "http_request_late_transform": {"action": "rewrite", "action_parameters": fields},
    "http_response_headers_transform": {"action": "rewrite", "action_parameters": fields},
    "http_request_origin": {"action": "route", "action_parameters": {"host_header": "backend.example"}},
    "http_config_settings": {"action": "set_config", "action_parameters": {"bic": True}},
    "http_custom_errors": {
        "action": "serve_error",
        "action_parameters": {"content": "Sorry", "content_type": "text/plain", "status_code": 503},
    },
}


def part(value, name):
    """Some of the SDK's types allow anything, which it then leaves as it came."""
    return value[name] if isinstance(value, dict) else getattr(value, name)


def try_phase(phase, rule):
    expression = "http.response.code ge 500" if phase == "http_custom_errors" else path
    made = client.rulesets.phases.update(
        phase, zone_id=zone, rules=[{**rule, "expression": expression, "ref": "python"}]
    )
    read = client.rulesets.phases.get(phase, zone_id=zone)
    assert part(read, "id") == part(made, "id")
    assert [part(each, "ref") for each in part(read, "rules")] == ["python"]
    client.rulesets.delete(part(made, "id"), zone_id=zone)


def try_rate_limit():
    # The SDK drops what this resource answers, so the response is read here.
    limits = client.rate_limits.with_raw_response
    answer = limits.create(
        zone_id=zone,
        match={"request": {"url": f"{name}/login*", "methods": ["POST"]}},
        threshold=10,
        period=60,
        action={"mode": "ban", "timeout": 60},
    )
    made = answer.json()["result"]
    assert limits.get(made["id"], zone_id=zone).json()["result"] == made
    client.rate_limits.delete(made["id"], zone_id=zone)


def try_tools():
    rule = client.firewall.access_rules.create(
        zone_id=zone, mode="block", configuration={"target": "ip", "value": "192.0.2.9"}
    )
    assert any(each.id == rule.id for each in client.firewall.access_rules.list(zone_id=zone))
    client.firewall.access_rules.delete(rule.id, zone_id=zone)
    agent = client.firewall.ua_rules.create(
        zone_id=zone, mode="block", configuration={"target": "ua", "value": "BadBot"}
    )
    client.firewall.ua_rules.delete(agent.id, zone_id=zone)
    locked = client.firewall.lockdowns.create(
        zone_id=zone, urls=[f"{name}/admin*"], configurations=[{"target": "ip", "value": "192.0.2.9"}]
    )
    client.firewall.lockdowns.delete(locked.id, zone_id=zone)


def try_balancing():
    monitor = client.load_balancers.monitors.create(
        account_id=account, type="http", path="/health", expected_codes="2xx"
    )
    pool = client.load_balancers.pools.create(
        account_id=account,
        name="python",
        monitor=monitor.id,
        origins=[{"name": "one", "address": "one.example.net", "enabled": True}],
    )
    balancer = client.load_balancers.create(
        zone_id=zone, name=f"www.{name}", default_pools=[pool.id], fallback_pool=pool.id
    )
    assert client.load_balancers.get(balancer.id, zone_id=zone).default_pools == [pool.id]
    client.load_balancers.delete(balancer.id, zone_id=zone)
    client.load_balancers.pools.delete(pool.id, account_id=account)
    client.load_balancers.monitors.delete(monitor.id, account_id=account)


def try_list():
    made = client.rules.lists.create(account_id=account, kind="redirect", name="python_moved")
    client.rules.lists.items.create(
        made.id,
        account_id=account,
        body=[{"redirect": {"source_url": f"{name}/old", "target_url": "https://new.example/"}}],
    )
    client.rules.lists.delete(made.id, account_id=account)


def try_logpush():
    job = client.logpush.jobs.create(
        zone_id=zone,
        dataset="firewall_events",
        destination_conf="https://logs.example/in",
        enabled=True,
        output_options={"field_names": ["RayID", "Action"], "timestamp_format": "rfc3339"},
    )
    assert client.logpush.jobs.get(job.id, zone_id=zone).output_options.field_names == ["RayID", "Action"]
    assert client.logpush.jobs.update(job.id, zone_id=zone, enabled=False).enabled is False
    assert [each.id for each in client.logpush.jobs.list(zone_id=zone)] == [job.id]
    client.logpush.jobs.delete(job.id, zone_id=zone)


def try_alerting():
    hooks = client.alerting.destinations.webhooks
    hook = hooks.create(account_id=account, name="chat", url="https://chat.example/hook")
    policy = client.alerting.policies.create(
        account_id=account,
        name="attacks",
        alert_type="clickhouse_alert_fw_anomaly",
        enabled=True,
        mechanisms={"webhooks": [{"id": hook.id}]},
    )
    read = client.alerting.policies.get(policy.id, account_id=account)
    assert [each.id for each in read.mechanisms.webhooks] == [hook.id]
    client.alerting.policies.delete(policy.id, account_id=account)
    hooks.delete(hook.id, account_id=account)


def try_people():
    assert client.user.get() is not None
    assert list(client.user.audit_logs.list(per_page=50)) != []
    members = list(client.accounts.members.list(account_id=account))
    assert client.accounts.members.get(members[0].id, account_id=account).id == members[0].id
    roles = list(client.accounts.roles.list(account_id=account))
    assert client.accounts.roles.get(roles[0].id, account_id=account).name == roles[0].name
    assert len(list(client.custom_pages.list(zone_id=zone))) > 0
    client.custom_pages.get("waf_block", account_id=account)


def try_settings():
    setting = client.zones.settings.get("ssl", zone_id=zone)
    sent = {**setting.to_dict(), "value": "full", "certificate_status": "active"}
    client.zones.settings.edit("ssl", zone_id=zone, value="full", extra_body=sent)
    answer = client.zones.settings.edit("email_obfuscation", zone_id=zone, value="on")
    assert answer.value == "on"


def try_d1():
    made = client.d1.database.create(account_id=account, name="python")
    list(client.d1.database.query(made.uuid, account_id=account, sql="SELECT ?", params=["1"]))
    batch = [{"sql": "SELECT 1 AS one"}, {"sql": "SELECT ? AS two", "params": ["2"]}]
    results = list(client.d1.database.query(made.uuid, account_id=account, batch=batch))
    assert [part(each.results[0], name) for each, name in zip(results, ["one", "two"])] == [1, "2"]
    client.d1.database.delete(made.uuid, account_id=account)


def try_r2():
    buckets = client.r2.buckets
    buckets.create(account_id=account, name="python")
    rules = [{"allowed": {"methods": ["GET"], "origins": ["https://a.example"]}}]
    buckets.cors.update("python", account_id=account, rules=rules)
    assert len(buckets.cors.get("python", account_id=account).rules) == 1
    buckets.cors.delete("python", account_id=account)
    buckets.lifecycle.update("python", account_id=account, rules=[])
    buckets.lifecycle.get("python", account_id=account)
    buckets.delete("python", account_id=account)


def try_queues():
    queue = client.queues.create(account_id=account, queue_name="python").queue_id
    client.queues.consumers.create(queue, account_id=account, type="http_pull")
    client.queues.messages.push(queue, account_id=account, body="hello", content_type="text")
    pulled = client.queues.messages.pull(queue, account_id=account, batch_size=5)
    [message] = pulled.messages
    assert message.body == "hello"
    answer = client.queues.messages.ack(queue, account_id=account, acks=[{"lease_id": message.lease_id}])
    assert part(answer, "ack_count") == 1
    client.queues.delete(queue, account_id=account)


def try_workers():
    scripts = client.workers.scripts
    code = b"export default { fetch: () => new Response('python'), scheduled() {} };"
    scripts.update(
        "python",
        account_id=account,
        metadata={
            "main_module": "w.js",
            "compatibility_date": "2026-03-01",
            "bindings": [{"type": "plain_text", "name": "TEXT", "text": "true"}],
        },
        files=[("w.js", code, "application/javascript+module")],
    )
    bindings = scripts.settings.get("python", account_id=account)
    assert bindings is not None
    assert [each.id for each in scripts.list(account_id=account)] == ["python"]
    assert b"python" in scripts.content.get("python", account_id=account).read()
    scripts.schedules.update("python", account_id=account, body=[{"cron": "0 0 * * *"}])
    scripts.secrets.update("python", account_id=account, name="KEY", text="a", type="secret_text")
    assert [each.name for each in scripts.secrets.list("python", account_id=account)] == ["KEY"]
    domains = client.workers.domains
    domain = domains.update(
        account_id=account, hostname=f"python.{name}", service="python", zone_id=zone
    )
    assert [each.id for each in domains.list(account_id=account)] == [domain.id]
    domains.delete(domain.id, account_id=account)
    scripts.delete("python", account_id=account)


tried = {f"rulesets {phase}": (lambda p=phase, r=rule: try_phase(p, r)) for phase, rule in phases.items()}
tried |= {
    "rate_limits": try_rate_limit,
    "firewall: access_rules, ua_rules, lockdowns": try_tools,
    "load_balancers, pools, monitors": try_balancing,
    "rules.lists of redirects": try_list,
    "logpush.jobs": try_logpush,
    "alerting: policies, webhooks": try_alerting,
}
tried |= {
    "user, accounts, custom_pages": try_people,
    "zones.settings": try_settings,
    "d1": try_d1,
    "r2": try_r2,
    "queues": try_queues,
    "workers": try_workers,
}
for group, work in tried.items():
    try:
        work()
    except Exception as error:  # what a library throws is what the run is about
        report(group, f"{type(error).__name__}: {error}")
