import type { ResourceFamily } from '../resource-row.ts';

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
