/**
 * Supervised child processes: started, watched, ended, restarted. A child runs a module that calls `runChild`; its
 * parent keeps it running with a `SupervisedProcess`.
 *
 * ```ts
 * // worker.ts, the child
 * runChild(async (parent, setup) => {
 *   const served = await serve(setup); // imported here, so that the import is also watched
 *   return { value: served.url, stop: ({ graceMs }) => served.close(graceMs) };
 * });
 *
 * // the parent
 * const module = new URL('./worker.ts', import.meta.url);
 * const worker = new SupervisedProcess({
 *   log,
 *   start: () => new ChildProcess({ name: 'worker 1', module, setup: { port: 0 }, log }),
 * });
 * console.log(await worker.firstReady);
 * await worker.stop({ graceMs: 10_000 });
 * ```
 *
 * - A child whose event loop is blocked, that does not respond, or that takes too much memory is killed and restarted.
 * - No child outlives its parent, however that ends, unless a successor is to adopt it (`Orphans`).
 * - Messages of a child are untrusted: an invalid one ends the child, without other consequences.
 * - Signals to a child are for its parent: a child stops when its parent asks, or is killed.
 */
export { type PreforkOptions, endPreforked, prefork, takePreforked } from './processes/prefork.ts';
export { PendingCalls } from './processes/channel/pending-calls.ts';
export { ProtocolError } from './processes/channel/protocol-error.ts';
export {
  readAmount,
  readDistribution,
  readFields,
  readList,
  readText,
} from './processes/channel/read-sent.ts';
export {
  ChildEndedError,
  ChildProcess,
  type ChildProcessOptions,
  type ChildWork,
} from './processes/child-process.ts';
export { describeEnd, endKinds, type EndReason } from './processes/end-reason.ts';
export { adoptedSilentMs, heapBytesMaxDefault } from './processes/limits.ts';
export { letChildrenOutlive, listLifelines, type Orphan, Orphans } from './processes/orphans/orphans.ts';
export { readWaitedForCpu } from './processes/measured/waited-for-cpu.ts';
export { type ParentLink, runChild, type RunningChild } from './processes/run-child.ts';
export { shrinkHeap } from './processes/shrink-heap.ts';
export { BoundSocket } from './processes/sockets/bound-socket.ts';
export { keptSockets } from './processes/sockets/kept-sockets.ts';
export type { Confinement } from './processes/spawn-child.ts';
export type { ClosedProcess, StartedProcess } from './processes/started-process.ts';
export { Standby, type StandbyOptions } from './processes/standby.ts';
export {
  SupervisedProcess,
  type SupervisedProcessOptions,
  type SupervisedState,
} from './processes/supervised-process.ts';
