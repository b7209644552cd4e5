/**
 * The parts of the data directory that are out of service, because some of their data is damaged or missing, each with
 * its reason: in the log at the start and end, and in a metric, which the dashboard shows on every page. All other
 * parts are in service.
 */
import type { Log } from '#base';
import { type Metric, Reading } from '#metrics';

interface NotedPart {
  readonly reason: string;
  /** Whether it is in service again by itself; otherwise `clear` must be called. */
  readonly isOver: () => boolean;
}

/** Labels of metrics must be short. */
const reasonCharactersMax = 300;

export class OutOfService {
  readonly metric: Metric;
  readonly #log: Log;
  readonly #parts = new Map<string, NotedPart>();

  constructor(log: Log) {
    this.#log = log;
    this.metric = new Reading(
      'gatehouse_out_of_service',
      'Parts of the data directory that are out of service, with the reason.',
      () => Array.from(this.list(), ([part, reason]) => [{ part, reason }, 1] as const),
    );
  }

  /** The reason of each part. */
  list(): ReadonlyMap<string, string> {
    for (const [part, { isOver }] of this.#parts) if (isOver()) this.clear(part);
    return new Map(Array.from(this.#parts, ([part, { reason }]) => [part, reason]));
  }

  note(part: string, error: unknown, isOver: () => boolean = () => false): void {
    const reason = ((error as Error).message || String(error)).slice(0, reasonCharactersMax);
    if (this.#parts.get(part)?.reason !== reason)
      this.#log.error('a part of the data directory is out of service; the others are available', {
        part,
        reason,
      });
    this.#parts.set(part, { reason, isOver });
  }

  clear(part: string): void {
    if (this.#parts.delete(part)) this.#log.info('a part of the data directory is available again', { part });
  }
}
