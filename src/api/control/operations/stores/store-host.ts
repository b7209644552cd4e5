/** What has the stores of the account, as handlers see it. */
import type { ObjectRuntime } from '#objects';
import type { StoreTransfers } from './store-transfers.ts';

export interface StoreHost {
  /** Why there are none; undefined if there can be. */
  readonly obstacle: string | undefined;
  /** Their objects; the process that has them starts when they are needed first. */
  open(): Promise<ObjectRuntime>;
  /** Which Worker messages of a queue are delivered to; undefined if to none. */
  setConsumer(queue: string, script: string | undefined): void;
  /** Files that are sent and read without credentials, by addresses that nobody can guess. */
  readonly transfers: StoreTransfers;
}
