import { ok } from '#contract';
import type { ObjectsHandlers } from '../several-objects.ts';

export const metricHandlers: ObjectsHandlers<'metrics'> = {
  'metrics.list': async ({ readMetrics }) => ok(await readMetrics()),
};
