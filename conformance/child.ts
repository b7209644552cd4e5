import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Sends the signal and waits for the end; a child that already ended is fine. */
export async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
