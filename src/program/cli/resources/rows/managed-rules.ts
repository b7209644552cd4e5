import { family } from '../resource-row.ts';

export const wafFamily = family(
  'waf',
  'Legacy managed rules: packages, groups, rules, URI-based overrides.',
  {
    packages: { operation: 'wafPackages.list', columns: 'id name detection_mode sensitivity action_mode' },
    package: 'wafPackages.get',
    'set-package': 'wafPackages.edit',
    groups: { operation: 'wafGroups.list', columns: 'id mode rules_count modified_rules_count name' },
    group: 'wafGroups.get',
    'set-group': 'wafGroups.edit',
    rules: { operation: 'wafRules.list', columns: 'id mode default_mode group.name description' },
    rule: 'wafRules.get',
    'set-rule': 'wafRules.edit',
    overrides: {
      operation: 'wafOverrides.list',
      columns: 'id paused priority urls groups rules description',
    },
    override: 'wafOverrides.get',
    'create-override': 'wafOverrides.create',
    'update-override': { operation: 'wafOverrides.update', current: { operation: 'wafOverrides.get' } },
    'delete-override': 'wafOverrides.delete',
  },
);
