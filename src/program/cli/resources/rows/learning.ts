import { family } from '../resource-row.ts';

export const learningFamily = family(
  'learning',
  'What a zone has learned about the values of its requests.',
  {
    show: 'learning.get',
    list: { operation: 'learning.list', columns: 'path place name requests networks known usual' },
    forget: {
      operation: 'learning.forget',
      danger: 'the zone has to learn it again, which takes at least a day',
    },
  },
);
