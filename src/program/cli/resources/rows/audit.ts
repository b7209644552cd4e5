import type { ResourceFamily } from '../resource-row.ts';

export const auditFamily: ResourceFamily = {
  summary: 'Who changed what, and a check that the record is intact.',
  rows: [
    {
      name: 'audit list',
      operation: 'audit.list',
      columns: ['when', 'actor.email', 'action.type', 'resource.type', 'resource.id'],
      limit: 100,
    },
    {
      name: 'audit verify',
      operation: 'audit.verify',
      columns: ['kind', 'id', 'is_intact', 'entries', 'broken_sequence', 'missing', 'differs_from_anchor'],
    },
  ],
};
