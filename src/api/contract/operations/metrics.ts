/** What the program measures about itself. Ours: Cloudflare does not publish the health of its servers. */
import { operation } from '../operation.ts';
import { listOf, named, number, record, annotate, string, mapOf, optional, choice } from '#shapes';

const numbers = listOf(number);

const distributionSchema = named(
  'MetricDistribution',
  record({
    bounds: numbers,
    counts: annotate(numbers, {
      description: 'One more than there are bounds: the last is above all of them.',
    }),
    sum: number,
  }),
);
const pointSchema = named(
  'MetricPoint',
  record({
    labels: mapOf(string),
    value: optional(number),
    distribution: optional(
      annotate(distributionSchema, { description: 'In place of a value, of a histogram.' }),
    ),
  }),
);
const metricSchema = named(
  'Metric',
  record({
    name: string,
    help: string,
    type: choice(['counter', 'gauge', 'histogram']),
    points: listOf(pointSchema),
  }),
);

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
