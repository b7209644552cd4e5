/**
 * For tests: directories, and the programs that write to them. Hooks of a test run in the order in which they were
 * added, and a directory is created before the programs that write to it: a hook of its own would remove it while a
 * program still creates files there.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Tested = { after(hook: () => Promise<void>): void };

const endings = new WeakMap<Tested, Array<() => unknown>>();

/** Processes that a program has started learn a moment later than the program that they must end. */
const removals = { recursive: true, force: true, maxRetries: 20, retryDelay: 5 };

/** It is removed when everything that ends with the test has ended. */
export function makeDirectory(t: Tested, prefix: string): string {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  t.after(async () => {
    await endAll(t);
    rmSync(directory, removals);
  });
  return directory;
}

/** Runs before any directory of the test is removed, the last one first. */
export function endWith(t: Tested, end: () => unknown): void {
  const ends = endings.get(t);
  if (ends !== undefined) return void ends.push(end);
  endings.set(t, [end]);
  t.after(() => endAll(t));
}

export function killWith(t: Tested, child: ChildProcess): void {
  endWith(t, async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
}

async function endAll(t: Tested): Promise<void> {
  const ends = endings.get(t) ?? [];
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
}
