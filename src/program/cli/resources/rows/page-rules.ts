import { family } from '../resource-row.ts';

export const pageRuleFamily = family(
  'pagerules',
  'Page rules: settings for the URLs that a pattern matches.',
  {
    list: { operation: 'pageRules.list', columns: 'id priority status targets actions' },
    get: 'pageRules.get',
    create: 'pageRules.create',
    update: 'pageRules.edit',
    delete: 'pageRules.delete',
  },
);
