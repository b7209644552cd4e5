/** What the program measures about itself. Ours: Cloudflare shows nobody how its servers do. */
import { operation } from '../operation.ts';
import { enumeration, listOf, named } from '#shapes';

const numbers = listOf({ type: 'number' });

const distributionSchema = named('MetricDistribution', {
  type: 'object',
  required: ['bounds', 'counts', 'sum'],
  properties: {
    bounds: numbers,
    counts: { ...numbers, description: 'One more than there are bounds: the last is above all of them.' },
    sum: { type: 'number' },
  },
});
const pointSchema = named('MetricPoint', {
  type: 'object',
  required: ['labels'],
  properties: {
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    value: { type: 'number' },
    distribution: { ...distributionSchema, description: 'In place of a value, of a histogram.' },
  },
});
const metricSchema = named('Metric', {
  type: 'object',
  required: ['name', 'help', 'type', 'points'],
  properties: {
    name: { type: 'string' },
    help: { type: 'string' },
    type: enumeration(['counter', 'gauge', 'histogram']),
    points: listOf(pointSchema),
  },
});

export const metricOperations = {
  'metrics.list': operation('GET /accounts/{account_id}/metrics', {
    answeredBy: 'several objects',
    isPersonal: true,
    api: 'metrics',
    summary: 'Read what the program measures, at this moment',
    permissions: ['accountRead'],
    result: listOf(metricSchema),
    isOurs: true,
  }),
};
