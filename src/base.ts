/**
 * The ground floor: time, assertions, binary strings, the log. Nothing here knows what an object is.
 *
 * ```ts
 * const clock = new VirtualClock({ start: 0 });
 * clock.setTimer(1_000, () => console.log('one virtual second later'));
 * await clock.advance(1_000);
 * ```
 */
export { emptyAcceptQueues } from './base/accept-queue.ts';
export { assert } from './base/assert.ts';
export { type Clock, type Timer, type TimerKind, realClock } from './base/clock.ts';
export { didYouMean } from './base/did-you-mean.ts';
export {
  type DiskRefusal,
  type RefusedWrite,
  describeDiskRefusal,
  diskRefusalOf,
} from './base/disk-refusal.ts';
export { type FileSystem, type OpenFile, type OpenMode, realFileSystem } from './base/file-system.ts';
export { VirtualClock } from './base/virtual-clock.ts';
