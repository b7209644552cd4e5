import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * Rejects if the process could not be started: without a free descriptor, Node returns one without pipes, and reports
 * the reason later. Call this in the same turn as `spawn`.
 */
export async function untilStarted<Child extends ChildProcess>(child: Child): Promise<Child> {
  if (child.pid !== undefined) return child;
  const [error] = (await once(child, 'error')) as [Error];
  throw error;
}
