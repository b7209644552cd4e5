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
