/** Aborts modules that do not finish when they run for the first time. */
import { noteLoading, WorkName } from '#work';
import { ConfigError } from '../config/config-error.ts';

export interface LoadLimit {
  readonly msMax: number;
  /** The file of the main module. */
  readonly main: string;
}

/**
 * Rejects when loading has taken too long. Only an `await` can be aborted here; for an endless loop, the process's
 * watchdog reports its place and kills the process.
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
