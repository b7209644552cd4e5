/**
 * The migration from the legacy managed rules to managed rulesets. The migration itself is an update of the entry
 * point.
 */
import { migrationCodes } from '../../codes/migration.ts';
import type { ActionParameters } from '#rulesets';
import { migrationStates } from '#firewall';
import { operation } from '../../operation.ts';
import type { Permission } from '../../permissions.ts';
import {
  named,
  choiceParameter,
  listOf,
  string,
  constant,
  choice,
  record,
  flag,
  timestamp,
  annotate,
  typed,
} from '#shapes';

const api = 'wafmigration';
const permissions: readonly Permission[] = [
  'zoneWafRead',
  'zoneWafWrite',
  'firewallServicesRead',
  'firewallServicesWrite',
];

const query = {
  phase_two: choiceParameter(
    ['1'],
    'Asks for the second phase, which is open to every zone. Without it, the conditions of the first phase apply.',
  ),
};

const text = string;
const blank = constant('');
const state = named('MigrationState', choice(['default', ...migrationStates]));
const status = choice(['enabled', 'disabled']);

const carriedRuleSchema = named(
  'CarriedRule',
  record({
    id: blank,
    version: blank,
    action: choice(['skip', 'execute']),
    expression: text,
    description: text,
    ref: blank,
    enabled: flag(),
    action_parameters: typed<ActionParameters>(record({})),
  }),
);

export const migrationOperations = {
  'migration.check': operation('GET /zones/{zone_id}/waf_migration/check', {
    api,
    summary: 'Check whether a zone can migrate to managed rulesets; `messages` has the obstacles',
    permissions,
    query,
    result: named('MigrationCheck', record({ compatible: flag(), migration_state: state })),
  }),
  'migration.config': operation('GET /zones/{zone_id}/waf_migration/config', {
    api,
    summary: 'Get the managed rulesets that replace the legacy managed rules; `messages` has the losses',
    permissions,
    query,
    result: named('MigrationConfiguration', record({ name: text, rules: listOf(carriedRuleSchema) })),
    codes: [migrationCodes.migrationNotEntitled, migrationCodes.migrationDone],
  }),
  'migration.status': operation('GET /zones/{zone_id}/waf_migration/status', {
    api,
    summary: 'Get the migration state of a zone, and which generations of managed rules are in force',
    permissions,
    result: named(
      'MigrationStatus',
      record({
        old_waf_status: status,
        new_waf_status: status,
        migration_state: state,
        source: choice(['defaults', 'zone']),
        created: timestamp,
        watched: annotate(flag(), {
          description: 'In validation mode: the managed rulesets of the zone only log.',
        }),
      }),
    ),
  }),
};
