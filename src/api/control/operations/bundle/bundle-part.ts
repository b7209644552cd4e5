/** The parts of a bundle, each with the permissions that its own operations require. */
import type { InputOf, Permission } from '#contract';
import { findGrants } from '../../context/caller.ts';
import type { ZoneContext } from '../../context/handler.ts';

export type Bundle = InputOf<'bundle.import'>['body'];

export type PartName =
  | 'settings'
  | 'edge'
  | 'url_normalization'
  | 'zone_settings'
  | 'page_rules'
  | 'security_tools'
  | 'previous'
  | 'firewall'
  | 'rulesets';

const permissions: Readonly<Record<PartName, { readonly read: Permission; readonly write: Permission }>> = {
  settings: { read: 'zoneSettingsRead', write: 'zoneSettingsWrite' },
  edge: { read: 'zoneSettingsRead', write: 'zoneSettingsWrite' },
  url_normalization: { read: 'zoneSettingsRead', write: 'zoneSettingsWrite' },
  zone_settings: { read: 'zoneSettingsRead', write: 'zoneSettingsWrite' },
  page_rules: { read: 'pageRulesRead', write: 'pageRulesWrite' },
  security_tools: { read: 'firewallServicesRead', write: 'firewallServicesWrite' },
  previous: { read: 'firewallServicesRead', write: 'firewallServicesWrite' },
  firewall: { read: 'firewallServicesRead', write: 'firewallServicesWrite' },
  rulesets: { read: 'zoneWafRead', write: 'zoneWafWrite' },
};

/** The parts in the order in which they are imported. */
export const partNames = Object.keys(permissions) as readonly PartName[];

export function mayWrite(context: ZoneContext, part: PartName): boolean {
  return findGrants(context).allows(permissions[part].write, context.zone.id);
}

export function mayRead(context: ZoneContext, part: PartName): boolean {
  return findGrants(context).allows(permissions[part].read, context.zone.id) || mayWrite(context, part);
}
