import { watchBuiltins } from './realm/self-check.ts';
import { useLightFetch } from './serve/light-fetch.ts';

/** Prepares a process that runs the code of a Worker. */
export function prepareWorkerProcess(): void {
  useLightFetch();
  // Makes stacks of compiled files refer to the lines of their sources.
  process.setSourceMapsEnabled(true);
  // Our own frames are omitted from reports: some frames of the Worker should remain below them.
  Error.stackTraceLimit = 40;
  watchBuiltins();
}
