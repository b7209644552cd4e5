import { family } from '../resource-row.ts';

export const filterFamily = family('filters', 'Expressions that firewall rules use.', {
  list: { operation: 'filters.list', columns: 'id paused expression description' },
  get: 'filters.get',
  create: { operation: 'filters.create', columns: 'id paused expression description' },
  update: { operation: 'filters.update', current: { operation: 'filters.get' } },
  delete: 'filters.delete',
  check: 'filters.validateSentExpression',
});
