import type { ResourceFamily } from '../resource-row.ts';

export const filterFamily: ResourceFamily = {
  summary: 'Expressions that firewall rules use.',
  rows: [
    {
      name: 'filters list',
      operation: 'filters.list',
      columns: ['id', 'paused', 'expression', 'description'],
    },
    { name: 'filters get', operation: 'filters.get' },
    {
      name: 'filters create',
      operation: 'filters.create',
      columns: ['id', 'paused', 'expression', 'description'],
    },
    { name: 'filters update', operation: 'filters.update', current: { operation: 'filters.get' } },
    { name: 'filters delete', operation: 'filters.delete' },
    { name: 'filters check', operation: 'filters.validateSentExpression' },
  ],
};

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

const pageRuleColumns = ['id', 'priority', 'status', 'targets', 'actions'];

export const pageRuleFamily: ResourceFamily = {
  summary: 'Page rules: settings for the URLs that a pattern matches.',
  rows: [
    { name: 'pagerules list', operation: 'pageRules.list', columns: pageRuleColumns },
    { name: 'pagerules get', operation: 'pageRules.get' },
    { name: 'pagerules create', operation: 'pageRules.create' },
    { name: 'pagerules update', operation: 'pageRules.edit' },
    { name: 'pagerules delete', operation: 'pageRules.delete' },
  ],
};
