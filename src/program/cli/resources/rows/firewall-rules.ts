import { family } from '../resource-row.ts';

export const ruleFamily = family(
  'rules',
  'Firewall rules: an action for the requests that a filter matches.',
  {
    list: {
      operation: 'firewallRules.list',
      columns: 'id priority action paused filter.expression description',
    },
    get: 'firewallRules.get',
    create: {
      operation: 'firewallRules.create',
      columns: 'id priority action paused filter.expression description',
      aliases: { expression: 'filter.expression', 'filter-id': 'filter.id' },
    },
    update: {
      operation: 'firewallRules.update',
      aliases: { 'filter-id': 'filter.id' },
      current: { operation: 'firewallRules.get' },
    },
    delete: 'firewallRules.delete',
    effects: {
      operation: 'ruleEffects.list',
      tables: { rules: 'rule_id hits_24h hits last_match is_in_force description' },
    },
    preview: 'ruleEffects.preview',
  },
);
