"""What a user of the generated Python client writes: it has to pass mypy, and to work."""

import os

from gatehouse_client import AuthenticatedClient
from gatehouse_client.api.filters import filters_create, filters_delete_many, filters_get
from gatehouse_client.api.firewall_rules import firewall_rules_create, firewall_rules_delete
from gatehouse_client.api.rulesets import rulesets_delete, rulesets_update_entry_point
from gatehouse_client.api.tokens import tokens_verify
from gatehouse_client.api.zones import zones_list
from gatehouse_client.models import (
    DeletedFilter,
    DeletedListResponse,
    Failure,
    Filter,
    FilterListResponse,
    FirewallRuleAction,
    FirewallRuleFilter,
    FirewallRuleListResponse,
    DeletedFirewallRuleResponse,
    NewFilter,
    NewFirewallRule,
    NewRule,
    RuleAction,
    Ruleset,
    RulesetUpdate,
    TokenState,
    TokenStatusResponse,
    WrittenRulesetResponse,
    ZonePageResponse,
    ZonePhase,
    ZonesListOrder,
)
from gatehouse_client.types import UNSET

client = AuthenticatedClient(base_url=os.environ["API"], token=os.environ["TOKEN"])

verified = tokens_verify.sync(client=client)
assert isinstance(verified, TokenStatusResponse) and verified.result.status is TokenState.ACTIVE, verified

zones = zones_list.sync(client=client, per_page=5, order=ZonesListOrder.NAME)
assert isinstance(zones, ZonePageResponse) and zones.result_info.per_page == 5, zones
zone_id = next(zone.id for zone in zones.result if zone.plan.legacy_id == "enterprise")

expression = "ip.src eq 192.0.2.2"
created = filters_create.sync(zone_id, client=client, body=[NewFilter(expression=expression)])
assert isinstance(created, FilterListResponse), created
filter_ = created.result[0]
assert isinstance(filter_, Filter) and not filter_.paused, filter_

rules = firewall_rules_create.sync(
    zone_id,
    client=client,
    body=[
        NewFirewallRule(
            action=FirewallRuleAction.BLOCK, filter_=FirewallRuleFilter(id=filter_.id), priority=7
        )
    ],
)
assert isinstance(rules, FirewallRuleListResponse), rules
rule = rules.result[0]
assert rule.priority == 7 and isinstance(rule.filter_, Filter) and rule.filter_.expression == expression, rule

again = filters_create.sync(zone_id, client=client, body=[NewFilter(expression=expression)])
assert isinstance(again, Failure) and again.errors[0].code == 10102, again
assert again.errors[0].meta is not UNSET and getattr(again.errors[0].meta, "id") == filter_.id, again

written = rulesets_update_entry_point.sync(
    zone_id,
    ZonePhase.HTTP_REQUEST_FIREWALL_CUSTOM,
    client=client,
    body=RulesetUpdate(rules=[NewRule(action=RuleAction.LOG, expression="true", ref="smoke")]),
)
assert isinstance(written, WrittenRulesetResponse) and isinstance(written.result, Ruleset), written
assert written.result.rules[-1].ref == "smoke", written
assert rulesets_delete.sync_detailed(zone_id, written.result.id, client=client).status_code == 204

deleted = firewall_rules_delete.sync(zone_id, rule.id, client=client, delete_filter_if_unused=True)
assert isinstance(deleted, DeletedFirewallRuleResponse), deleted
assert isinstance(deleted.result.filter_, DeletedFilter) and deleted.result.filter_.deleted, deleted

none = filters_delete_many.sync(zone_id, client=client, id=[filter_.id])
assert isinstance(none, DeletedListResponse) and none.result[0].id == filter_.id, none

missing = filters_get.sync_detailed(zone_id, filter_.id, client=client)
assert missing.status_code == 404 and isinstance(missing.parsed, Failure), missing
assert missing.parsed.errors[0].code == 10001, missing
