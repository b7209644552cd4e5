import { type metricOperations, ok } from '#contract';
import type { ObjectsHandlers } from '../several-objects.ts';

export const metricHandlers: ObjectsHandlers<typeof metricOperations> = {
  'metrics.list': async ({ readMetrics }) => ok(await readMetrics()),
};
