/** The handling of signals in a serving program. */
import type { EventEmitter } from 'node:events';
import { exitCodes } from '../command.ts';

/** How long running requests may take once `gatehouse dev` was asked to stop. */
export const shutdownGraceMs = 10_000;

/**
 * Notifies a program that the reader of its output has ended. Not SIGPIPE: once a process has a handler for that, the
 * kernel sends it for every connection that a client has closed, and one visitor would stop the server.
 */
export const lostReaderSignal = 'SIGIO';

/** npm forwards the signals of a terminal, which has already sent them to each of its processes. */
const repeatMs = 500;

export interface SignalParts {
  readonly source?: Pick<EventEmitter, 'on'>;
  /** How long a second signal counts as a duplicate of the first one. */
  readonly repeatMs?: number;
  readonly now?: () => number;
  readonly exit?: (code: number) => void;
}

/**
 * Resolves with the name of the first signal; a second one ends the process at once. The signal for a lost reader is
 * sent for every line that cannot be written, including those about the end.
 */
export function waitForSignal({
  source = process,
  repeatMs: ignoredMs = process.env['npm_lifecycle_event'] === undefined ? 0 : repeatMs,
  now = () => performance.now(),
  exit = process.exit,
}: SignalParts = {}): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let firstMs: number | undefined;
  const take = (signal: NodeJS.Signals): void => {
    if (firstMs !== undefined && signal !== lostReaderSignal && now() - firstMs >= ignoredMs)
      exit(exitCodes.failure);
    firstMs ??= now();
    resolve(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', lostReaderSignal]) source.on(signal, take);
  return promise;
}

/** The exit code of a program that a signal has stopped gracefully. */
export function toExitCode(signal: NodeJS.Signals): number {
  return signal === lostReaderSignal ? exitCodes.unread : exitCodes.success;
}
