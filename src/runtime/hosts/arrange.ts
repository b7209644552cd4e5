/** Converts the layout of a directory before objects are served from it, with locks and log messages. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#base';
import { DirectoryLockedError, isHostedDirectory } from '#objects';
import { DirectoryLock } from '#sqlite';
import { arrangeDirectory } from './arrange-directory.ts';
import { type Layout, listFolders, readLayout } from './layout.ts';
import { lockRetryMs, lockWaitMsMax, moveProgressMs, orphanWaitMsMax } from './limits.ts';

export interface ArrangeForOneOptions {
  readonly directory: string;
  readonly log: Log;
}

/**
 * Converts a directory of hosts, none of which runs, to one that `createRuntime` opens. Does nothing if it is one
 * already, or if it does not exist.
 */
export async function arrangeForOneProcess({ directory, log }: ArrangeForOneOptions): Promise<void> {
  if (!isHostedDirectory(directory)) return;
  using _lock = await acquireLock(directory);
  await arrangeLocked({ directory, hosts: 0, log });
}

/** The caller holds the lock of the directory. */
export async function arrangeLocked({
  directory,
  hosts,
  segmentBytes,
  log,
}: {
  readonly directory: string;
  readonly hosts: number;
  readonly segmentBytes?: number | undefined;
  readonly log: Log;
}): Promise<Layout | undefined> {
  using locks = new DisposableStack();
  const present = readLayout(directory);
  if (present !== undefined && present.hosts !== hosts) {
    for (const folder of listFolders(present)) {
      const path = join(directory, folder);
      if (existsSync(path)) locks.use(await acquireLock(path, orphanWaitMsMax));
    }
  }
  let toldAtMs = performance.now();
  return await arrangeDirectory({
    directory,
    hosts,
    ...(segmentBytes === undefined ? {} : { segmentBytes }),
    warn: (message) => log.warn(message),
    onMove: (move) =>
      log.warn('moving the objects to another number of hosts; they are available afterwards', move),
    onProgress: ({ done, total }) => {
      if (performance.now() - toldAtMs < moveProgressMs) return;
      toldAtMs = performance.now();
      log.warn('moving the objects', { bytes: done, total });
    },
  });
}

/** The child processes of a killed program release their directories when they notice its end. */
async function acquireLock(directory: string, waitMsMax = lockWaitMsMax): Promise<DirectoryLock> {
  for (const beganMs = performance.now(); ;) {
    try {
      return DirectoryLock.acquire(directory);
    } catch (error) {
      const isLocked = error instanceof DirectoryLockedError;
      if (!isLocked || performance.now() - beganMs > waitMsMax) throw error;
      await delay(lockRetryMs);
    }
  }
}
