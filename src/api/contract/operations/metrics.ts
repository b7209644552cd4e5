/** Metrics of the program. Ours: Cloudflare does not publish the health of its servers. */
import { operation } from '../operation.ts';
import { listOf, named, number, record, annotate, string, mapOf, optional, choice } from '#shapes';

const numbers = listOf(number);

const distributionSchema = named(
  'MetricDistribution',
  record({
    bounds: numbers,
    counts: annotate(numbers, {
      description: 'One more than the bounds: the last counts values above all of them.',
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
      annotate(distributionSchema, { description: 'Of a histogram, instead of a value.' }),
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
    summary: 'Get the current metrics of the program',
    permissions: ['accountRead'],
    result: listOf(metricSchema),
    isOurs: true,
  }),
};
