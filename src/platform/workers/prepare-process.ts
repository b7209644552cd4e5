import { watchBuiltins } from './realm/self-check.ts';
import { useLightFetch } from './serve/light-fetch.ts';

/** Prepares a process that runs the code of a Worker. */
export function prepareWorkerProcess(): void {
  useLightFetch();
  // Compiled files say which line of which source they come from.
  process.setSourceMapsEnabled(true);
  // Frames of ours are left out of what is shown: there should be some of the Worker's below them.
  Error.stackTraceLimit = 40;
  watchBuiltins();
}
