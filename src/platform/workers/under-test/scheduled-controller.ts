/** The argument that a test passes to `scheduled()`. */
import { wrongType } from '#base';
import type { ScheduledController } from '../entry.ts';

export interface ScheduledOptions {
  readonly scheduledTime?: Date | number;
  readonly cron?: string;
}

export function createScheduledController(options?: ScheduledOptions): ScheduledController {
  if (options !== undefined && (typeof options !== 'object' || options === null)) {
    throw wrongType({ method: 'createScheduledController' }, 1, 'ScheduledOptions');
  }
  return {
    type: 'scheduled',
    scheduledTime: Number(options?.scheduledTime ?? Date.now()),
    cron: String(options?.cron ?? ''),
    noRetry() {},
  };
}
