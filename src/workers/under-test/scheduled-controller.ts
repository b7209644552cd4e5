/** What a test passes to `scheduled()`. */
import type { ScheduledController } from '../entry.ts';

export interface ScheduledOptions {
  readonly scheduledTime?: Date | number;
  readonly cron?: string;
}

/** With what the handler said about it. */
export interface TestScheduledController extends ScheduledController {
  readonly isNotRetried: boolean;
}

export function createScheduledController(options?: ScheduledOptions): TestScheduledController {
  if (options !== undefined && (typeof options !== 'object' || options === null)) {
    throw new TypeError(
      "Failed to execute 'createScheduledController': parameter 1 is not of type 'ScheduledOptions'.",
    );
  }
  let isNotRetried = false;
  return {
    type: 'scheduled',
    scheduledTime: Number(options?.scheduledTime ?? Date.now()),
    cron: String(options?.cron ?? ''),
    noRetry: () => void (isNotRetried = true),
    get isNotRetried() {
      return isNotRetried;
    },
  };
}
