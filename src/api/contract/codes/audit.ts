import { codes } from '../code.ts';

export const auditCodes = codes({
  auditTooDeep: {
    code: 10601,
    status: 400,
    message: 'audit.api.too_deep: pages reach back {count} entries at most',
    advice: 'Narrow the time range with `since` and `before`, then start again from page 1.',
  },
});
