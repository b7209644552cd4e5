/** A zone as responses show it, depending on the permissions of the caller. */
import { customCertificatesMax, pageRulesMax } from '../../context/limits.ts';
import type { Permission, Result } from '#contract';
import type { Directory, ZoneFacts } from '../../context/directory.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import type { Grants } from '../../context/grants.ts';
import { toPlanJson } from './zone-plans.ts';

/** Older clients look here for their permissions. */
const permissionNames: readonly (readonly [string, readonly Permission[]])[] = [
  ['#analytics:read', ['analyticsRead']],
  ['#waf:edit', ['firewallServicesWrite', 'zoneWafWrite']],
  ['#waf:read', ['firewallServicesRead', 'zoneWafRead', 'firewallServicesWrite', 'zoneWafWrite']],
  ['#zone:edit', ['zoneWrite']],
  ['#zone:read', ['zoneRead', 'zoneWrite']],
  ['#zone_settings:edit', ['zoneSettingsWrite']],
  ['#zone_settings:read', ['zoneSettingsRead', 'zoneSettingsWrite']],
];

/** There are no name servers to change, so a zone is active from the start. */
export function toZoneJson(zone: ZoneFacts, directory: Directory, grants: Grants): Result<'zones.get'> {
  const account = { id: zone.accountId, name: directory.account?.name ?? '' };
  return {
    ...toZoneContent(zone),
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
      custom_certificate_quota: customCertificatesMax,
      page_rule_quota: pageRulesMax[zone.plan],
      phishing_detected: false,
    },
    owner: { id: account.id, type: 'organization', name: account.name },
    account,
    permissions: permissionNames
      .filter(([, permissions]) => permissions.some((permission) => grants.allows(permission, zone.id)))
      .map(([name]) => name),
    plan: toPlanJson(zone.plan, zone.plan),
  };
}

function toZoneContent({
  id,
  name,
  isPaused,
  type,
  vanityNameServers,
}: ZoneFacts): Pick<
  Result<'zones.get'>,
  'id' | 'name' | 'status' | 'paused' | 'type' | 'vanity_name_servers'
> {
  return {
    id,
    name,
    status: 'active',
    paused: isPaused,
    type,
    ...(vanityNameServers.length === 0 ? {} : { vanity_name_servers: vanityNameServers }),
  };
}

/** For the audit log: the properties that can change. */
export function toZoneRecord(zone: ZoneFacts): object {
  return { ...toZoneContent(zone), plan: zone.plan };
}
