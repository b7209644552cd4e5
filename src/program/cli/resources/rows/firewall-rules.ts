import type { ResourceFamily } from '../resource-row.ts';

const ruleColumns = ['id', 'priority', 'action', 'paused', 'filter.expression', 'description'];

export const ruleFamily: ResourceFamily = {
  summary: 'Firewall rules: an action for the requests that a filter matches.',
  rows: [
    { name: 'rules list', operation: 'firewallRules.list', columns: ruleColumns },
    { name: 'rules get', operation: 'firewallRules.get' },
    {
      name: 'rules create',
      operation: 'firewallRules.create',
      columns: ruleColumns,
      aliases: { expression: 'filter.expression', 'filter-id': 'filter.id' },
    },
    {
      name: 'rules update',
      operation: 'firewallRules.update',
      aliases: { 'filter-id': 'filter.id' },
      current: { operation: 'firewallRules.get' },
    },
    { name: 'rules delete', operation: 'firewallRules.delete' },
    {
      name: 'rules effects',
      operation: 'ruleEffects.list',
      tables: { rules: ['rule_id', 'hits_24h', 'hits', 'last_match', 'is_in_force', 'description'] },
    },
    { name: 'rules preview', operation: 'ruleEffects.preview' },
  ],
};
