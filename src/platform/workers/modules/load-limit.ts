/** Modules that do not come to an end when they run for the first time are given up. */
import { noteLoading, WorkName } from '#base';
import { ConfigError } from '../config/config-error.ts';

export interface LoadLimit {
  readonly msMax: number;
  /** The file that the modules start with. */
  readonly main: string;
}

/**
 * Rejects when loading has taken too long. Only an `await` can be given up from here; of a loop without an end the watchdog
 * of the process says where it is, and ends the process.
 */
export async function endInTime<Loaded>(
  loading: Promise<Loaded>,
  { msMax, main }: LoadLimit,
): Promise<Loaded> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(createLateError(main, msMax)), msMax);
  noteLoading(new WorkName(main).number);
  try {
    return await Promise.race([loading, late]);
  } finally {
    noteLoading(0);
    clearTimeout(timer);
  }
}

function createLateError(main: string, msMax: number): ConfigError {
  return new ConfigError(
    `${main} does not finish loading: after ${msMax} ms, an await at the top of one of its modules is still pending. ` +
      'Move it into a handler',
  );
}
