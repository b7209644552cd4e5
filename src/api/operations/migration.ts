/** From the legacy managed rules to managed rulesets. The step itself is an update of the entry point. */
import { migrationCodes } from '../codes/migration.ts';
import { migrationStates } from '#firewall';
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import { named, choiceParameter, enumeration, listOf, momentSchema, type JsonSchema } from '#shapes';

const api = 'wafmigration';
const permissions: readonly Permission[] = [
  'zoneWafRead',
  'zoneWafWrite',
  'firewallServicesRead',
  'firewallServicesWrite',
];

const query = {
  phase_two: choiceParameter(['1'], 'Always needed: without it the first phase is asked for, which is over.'),
};

const text: JsonSchema = { type: 'string' };
const blank: JsonSchema = { type: 'string', const: '' };
const state = named('MigrationState', enumeration(['default', ...migrationStates]));
const status = enumeration(['enabled', 'disabled']);

const carriedRuleSchema = named('CarriedRule', {
  type: 'object',
  required: ['id', 'version', 'action', 'expression', 'description', 'ref', 'enabled', 'action_parameters'],
  properties: {
    id: blank,
    version: blank,
    action: enumeration(['skip', 'execute']),
    expression: text,
    description: text,
    ref: blank,
    enabled: { type: 'boolean' },
    action_parameters: { type: 'object' },
  },
});

export const migrationOperations = {
  'migration.check': operation('GET /zones/{zone_id}/waf_migration/check', {
    api,
    summary: 'Check whether a zone can move to managed rulesets; what is in the way is in `messages`',
    permissions,
    query,
    result: named('MigrationCheck', {
      type: 'object',
      required: ['compatible', 'migration_state'],
      properties: {
        compatible: { type: 'boolean' },
        migration_state: state,
      },
    }),
  }),
  'migration.config': operation('GET /zones/{zone_id}/waf_migration/config', {
    api,
    summary:
      'Get the managed rulesets that do what the legacy managed rules do; what is lost is in `messages`',
    permissions,
    query,
    result: named('MigrationConfiguration', {
      type: 'object',
      required: ['name', 'rules'],
      properties: { name: text, rules: listOf(carriedRuleSchema) },
    }),
    codes: [
      migrationCodes.migrationPhaseOver,
      migrationCodes.migrationNotEntitled,
      migrationCodes.migrationDone,
    ],
  }),
  'migration.status': operation('GET /zones/{zone_id}/waf_migration/status', {
    api,
    summary: 'Get how far a zone is, and which generations of managed rules are in force',
    permissions,
    result: named('MigrationStatus', {
      type: 'object',
      required: ['old_waf_status', 'new_waf_status', 'migration_state', 'source', 'created', 'watched'],
      properties: {
        old_waf_status: status,
        new_waf_status: status,
        migration_state: state,
        source: enumeration(['defaults', 'zone']),
        created: momentSchema,
        watched: {
          type: 'boolean',
          description: 'In validation mode: the managed rulesets of the zone only log.',
        },
      },
    }),
  }),
};
