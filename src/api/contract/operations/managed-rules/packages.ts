/** Packages of legacy managed rules. */
import { wafCodes } from '../../codes/managed-rules.ts';
import { legacyActions, sensitivities } from '#firewall';
import { operationsOf } from '../../operation.ts';
import {
  named,
  orderParameters,
  pageParameters,
  textParameter,
  choice,
  listOf,
  object,
  optional,
  record,
  string,
  nullable,
  annotate,
} from '#shapes';

const operation = operationsOf({
  api: 'waf',
  read: ['firewallServicesRead', 'firewallServicesWrite'],
  write: ['firewallServicesWrite'],
});

/** For every operation on legacy managed rules, while a zone has none. */
export const unavailable = [wafCodes.wafMigrated, wafCodes.wafNotEntitled];

const packageSchema = named(
  'WafPackage',
  record({
    id: string,
    name: string,
    description: nullable(string),
    zone_id: string,
    detection_mode: choice(['traditional', 'anomaly']),
    sensitivity: optional(annotate(choice(sensitivities), { description: 'Of an anomaly package.' })),
    action_mode: optional(annotate(choice(legacyActions), { description: 'Of an anomaly package.' })),
  }),
);
const packageToEdit = named(
  'WafPackageEdit',
  object({ sensitivity: optional(choice(sensitivities)), action_mode: optional(choice(legacyActions)) }),
);

export const wafPackageOperations = {
  'wafPackages.list': operation('GET /zones/{zone_id}/firewall/waf/packages', {
    summary: 'List packages of legacy managed rules',
    query: {
      name: textParameter('The whole name, in any case.'),
      ...orderParameters(['name', 'status']),
      ...pageParameters({ fallback: 50, max: 100 }),
    },
    result: listOf(packageSchema),
    codes: unavailable,
  }),
  'wafPackages.get': operation('GET /zones/{zone_id}/firewall/waf/packages/{package_id}', {
    summary: 'Get a package of legacy managed rules',
    result: packageSchema,
    codes: [...unavailable, wafCodes.wafPackageNotFound],
  }),
  'wafPackages.edit': operation('PATCH /zones/{zone_id}/firewall/waf/packages/{package_id}', {
    summary: 'Change the sensitivity or the action of an anomaly package',
    body: packageToEdit,
    result: packageSchema,
    codes: [...unavailable, wafCodes.wafPackageNotFound, wafCodes.wafPackageNotAnomaly],
  }),
};
