/**
 * Time, assertions, the log, bounded maps, back-off, and the files of the program itself. It does not depend on objects.
 *
 * ```ts
 * const clock = new VirtualClock({ start: 0 });
 * clock.setTimer(1_000, () => console.log('one virtual second later'));
 * await clock.advance(1_000);
 * ```
 */
export { createLeftError, isIncoming, markIncoming, readAbortReason } from './base/fetch/abort-signals.ts';
export { type Callee, wrongConstruction, wrongType } from './base/argument-errors.ts';
export { assert } from './base/assert.ts';
export { BackOff, backOffMs } from './base/back-off.ts';
export { BatchQueue } from './base/batch-queue.ts';
export { type Clock, type Timer, type TimerKind, elapsedOf, realClock } from './base/clock.ts';
export { shareCompileCache } from './base/compile-cache.ts';
export { uploadedFolder } from './base/program/uploaded-folder.ts';
export { bundlerPrefix, endLoading, listLoadingPaths } from './base/program/confinement.ts';
export { explainWhenUsed } from './base/explain-when-used.ts';
export { Distribution } from './base/distribution.ts';
export { isAlive } from './base/is-alive.ts';
export { isObject } from './base/is-object.ts';
export { hasSystemCode } from './base/system-code.ts';
export { createLog, type Log, type LogStyle } from './base/log.ts';
export {
  isExecutable,
  listOwnFiles,
  listProgramArguments,
  programEnvironment,
  programRoot,
  readOwnFile,
  startThread,
  untilStarted,
  withoutSettings,
} from './base/program/own-program.ts';
export { importQuickly } from './base/program/quick-imports.ts';
export { allowStreamBody, fetchApart, nativeFetch } from './base/fetch/native-fetch.ts';
export { measureDirectory } from './base/measure-directory.ts';
export { Heap } from './base/maps/heap.ts';
export { BoundedMap } from './base/maps/bounded-map.ts';
export { RecentMap } from './base/maps/recent-map.ts';
export { StartError } from './base/start-error.ts';
export { type ClockFollower, type DueTimer, VirtualClock } from './base/virtual-clock.ts';
export {
  edgeSocketPath,
  findEdgeSocket,
  findWorkerSocket,
  isLiveEdgeSocket,
  otherSockets,
  neighbourSocketPath,
  workerSocketPath,
} from './base/worker-socket.ts';
export { waitForPredecessor } from './base/wait-for-predecessor.ts';
