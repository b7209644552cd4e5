/** The interface to whatever holds the stores of the account, for handlers. */
import type { ObjectRuntime } from '#objects';
import type { StoreTransfers } from './store-transfers.ts';

export interface StoreHost {
  /** Why there are no stores; undefined if there can be. */
  readonly obstacle: string | undefined;
  /** Their objects; the process that has them starts on first use. */
  open(): Promise<ObjectRuntime>;
  /** Sets the Worker that consumes a queue; undefined if there is none. */
  setConsumer(queue: string, script: string | undefined): void;
  /** Files that are uploaded and downloaded without credentials, at unguessable URLs. */
  readonly transfers: StoreTransfers;
}
