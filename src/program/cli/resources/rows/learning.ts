import type { ResourceFamily } from '../resource-row.ts';

export const learningFamily: ResourceFamily = {
  summary: 'What a zone has learned about the values of its requests.',
  rows: [
    { name: 'learning show', operation: 'learning.get' },
    {
      name: 'learning list',
      operation: 'learning.list',
      columns: ['path', 'place', 'name', 'requests', 'networks', 'known', 'usual'],
    },
    {
      name: 'learning forget',
      operation: 'learning.forget',
      danger: 'the zone has to learn it again, which takes at least a day',
    },
  ],
};
