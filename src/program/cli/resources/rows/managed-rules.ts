import type { ResourceFamily } from '../resource-row.ts';

const overrideColumns = ['id', 'paused', 'priority', 'urls', 'groups', 'rules', 'description'];

export const wafFamily: ResourceFamily = {
  summary: 'Legacy managed rules: packages, groups, rules, URI-based overrides.',
  rows: [
    {
      name: 'waf packages',
      operation: 'wafPackages.list',
      columns: ['id', 'name', 'detection_mode', 'sensitivity', 'action_mode'],
    },
    { name: 'waf package', operation: 'wafPackages.get' },
    { name: 'waf set-package', operation: 'wafPackages.edit' },
    {
      name: 'waf groups',
      operation: 'wafGroups.list',
      columns: ['id', 'mode', 'rules_count', 'modified_rules_count', 'name'],
    },
    { name: 'waf group', operation: 'wafGroups.get' },
    { name: 'waf set-group', operation: 'wafGroups.edit' },
    {
      name: 'waf rules',
      operation: 'wafRules.list',
      columns: ['id', 'mode', 'default_mode', 'group.name', 'description'],
    },
    { name: 'waf rule', operation: 'wafRules.get' },
    { name: 'waf set-rule', operation: 'wafRules.edit' },
    { name: 'waf overrides', operation: 'wafOverrides.list', columns: overrideColumns },
    { name: 'waf override', operation: 'wafOverrides.get' },
    { name: 'waf create-override', operation: 'wafOverrides.create' },
    {
      name: 'waf update-override',
      operation: 'wafOverrides.update',
      current: { operation: 'wafOverrides.get' },
    },
    { name: 'waf delete-override', operation: 'wafOverrides.delete' },
  ],
};
