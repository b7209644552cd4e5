/** The argument that a test passes to `scheduled()`. */
import type { ScheduledController } from '../entry.ts';

export interface ScheduledOptions {
  readonly scheduledTime?: Date | number;
  readonly cron?: string;
}

export function createScheduledController(options?: ScheduledOptions): ScheduledController {
  if (options !== undefined && (typeof options !== 'object' || options === null)) {
    throw new TypeError(
      "Failed to execute 'createScheduledController': parameter 1 is not of type 'ScheduledOptions'.",
    );
  }
  return {
    type: 'scheduled',
    scheduledTime: Number(options?.scheduledTime ?? Date.now()),
    cron: String(options?.cron ?? ''),
    noRetry() {},
  };
}
