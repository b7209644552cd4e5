import { family } from '../resource-row.ts';

export const auditFamily = family('audit', 'Who changed what, and a check that the record is intact.', {
  list: {
    operation: 'audit.list',
    columns: 'when actor.email action.type resource.type resource.id',
    limit: 100,
  },
  verify: {
    operation: 'audit.verify',
    columns: 'kind id is_intact entries broken_sequence missing differs_from_anchor',
  },
});
