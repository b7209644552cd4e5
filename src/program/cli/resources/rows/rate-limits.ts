import { family } from '../resource-row.ts';

export const rateLimitFamily = family(
  'rate-limits',
  'Current counters of rate limits: list the fullest keys, and reset one.',
  {
    list: { operation: 'rateKeys.list', columns: 'id values count limit period stopped_until host rule_id' },
    suggest: { operation: 'rateKeys.suggest', tables: { stopped: 'ip peak requests' } },
    release: 'rateKeys.release',
  },
);
