/** A zone as answers show it, to somebody who may do certain things with it. */
import type { Permission } from '#api';
import type { Directory, ZoneFacts } from '../../context/directory.ts';
import { pageRulesMax } from '../../context/limits.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import type { Grants } from '../../context/grants.ts';
import { planJson } from './zone-plans.ts';

/** Older clients look here for what they may do. */
const permissionNames: readonly (readonly [string, readonly Permission[]])[] = [
  ['#analytics:read', ['analyticsRead']],
  ['#waf:edit', ['firewallServicesWrite', 'zoneWafWrite']],
  ['#waf:read', ['firewallServicesRead', 'zoneWafRead', 'firewallServicesWrite', 'zoneWafWrite']],
  ['#zone:edit', ['zoneWrite']],
  ['#zone:read', ['zoneRead', 'zoneWrite']],
  ['#zone_settings:edit', ['zoneSettingsWrite']],
  ['#zone_settings:read', ['zoneSettingsRead', 'zoneSettingsWrite']],
];

/** There is no name server to change, so a zone is active from the start. */
export function zoneJson(zone: ZoneFacts, directory: Directory, grants: Grants): object {
  const account = { id: zone.accountId, name: directory.data.account?.name ?? '' };
  return {
    ...zoneContent(zone),
    development_mode: 0,
    name_servers: [],
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    modified_on: toMicroseconds(zone.modifiedAtMs),
    created_on: toMicroseconds(zone.createdAtMs),
    activated_on: toMicroseconds(zone.createdAtMs),
    meta: {
      step: 4,
      custom_certificate_quota: 0,
      page_rule_quota: pageRulesMax[zone.plan],
      phishing_detected: false,
    },
    owner: { id: account.id, type: 'organization', name: account.name },
    account,
    permissions: permissionNames
      .filter(([, permissions]) => permissions.some((permission) => grants.allows(permission, zone.id)))
      .map(([name]) => name),
    plan: planJson(zone.plan, zone.plan),
  };
}

function zoneContent({ id, name, isPaused, type, vanityNameServers }: ZoneFacts): object {
  return {
    id,
    name,
    status: 'active',
    paused: isPaused,
    type,
    ...(vanityNameServers.length === 0 ? {} : { vanity_name_servers: vanityNameServers }),
  };
}

/** For the audit log: what can change. */
export function zoneRecord(zone: ZoneFacts): object {
  return { ...zoneContent(zone), plan: zone.plan };
}
