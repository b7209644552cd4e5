import type { ResourceFamily } from '../resource-row.ts';

export const rateLimitFamily: ResourceFamily = {
  summary: 'Current counters of rate limits: list the fullest keys, and reset one.',
  rows: [
    {
      name: 'rate-limits list',
      operation: 'rateKeys.list',
      columns: ['id', 'values', 'count', 'limit', 'period', 'stopped_until', 'host', 'rule_id'],
    },
    {
      name: 'rate-limits suggest',
      operation: 'rateKeys.suggest',
      tables: { stopped: ['ip', 'peak', 'requests'] },
    },
    { name: 'rate-limits release', operation: 'rateKeys.release' },
  ],
};
