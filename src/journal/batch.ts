import type { Position } from './position.ts';

/** Records that become durable together or fail together: one write, one sync, inside one segment. */
export interface Batch {
  readonly records: Pending[];
  span: number;
  readonly durable: PromiseWithResolvers<void>;
}

interface Pending {
  readonly position: Position;
  readonly time: number;
  readonly payload: readonly Uint8Array[];
  readonly settle: (() => void) | undefined;
}
