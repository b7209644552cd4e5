/**
 * The cost limits of one query. Its nodes read logs one after the other, even if they are resolved concurrently. When
 * one of them fails, the query has failed, and the nodes after it do nothing.
 */
import { GraphQLError } from 'graphql';
import { durationMsMax, eventsMax, scansMax } from './limits.ts';

export class Budget {
  readonly #endMs = performance.now() + durationMsMax;
  #scans = 0;
  #events = 0;
  #last: Promise<unknown> = Promise.resolve();

  scan<T>(work: () => Promise<T>): Promise<T> {
    this.#scans++;
    const result = this.#last.then(() => {
      if (this.#scans > scansMax) throw new GraphQLError(`a query can have ${scansMax} nodes with events`);
      this.checkTime();
      return work();
    });
    this.#last = result;
    return result;
  }

  checkTime(): void {
    if (performance.now() > this.#endMs) {
      throw new GraphQLError('the query takes too long: ask for less time, or fewer nodes');
    }
  }

  spend(events: number): void {
    this.#events += events;
    if (this.#events > eventsMax) throw new GraphQLError(`an answer can have ${eventsMax} events`);
  }
}
