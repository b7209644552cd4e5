/**
 * Deletes the remains of interrupted uploads and deletions. Files that the account may be restored to are kept as long
 * as its history.
 */
import type { Log } from '#base';
import type { Control } from '#control';
import type { AssetUploads } from '../asset-uploads.ts';
import type { WorkerCode } from '../worker-code.ts';
import type { WorkerDirectories } from '../worker-directories.ts';

const dayMs = 86_400_000;

interface Leftovers {
  readonly code: WorkerCode;
  readonly assets: AssetUploads;
  readonly directories: WorkerDirectories;
}

/** Called before anything can be uploaded. */
export async function removeLeftovers(
  account: Pick<Control, 'listWorkerAssets' | 'listWorkerCode' | 'listWorkerIds'>,
  {
    historyDays,
    isClustered,
    log,
  }: { readonly historyDays: number; readonly isClustered: boolean; readonly log: Log },
  parts: Leftovers,
): Promise<void> {
  const beforeMs = Date.now() - historyDays * dayMs;
  parts.directories.finishRemovals(new Set(await account.listWorkerIds()));
  const [code, assets] = [await account.listWorkerCode(), await account.listWorkerAssets()];
  // A cluster without Workers needs no process for their files.
  if (isClustered && code.length === 0) return;
  try {
    await parts.code.dropAllBut(new Set(code), beforeMs);
    await parts.assets.dropAllBut(assets, beforeMs);
  } catch (error) {
    log.error('cannot determine which files are unused; keeping all of them', { error });
  }
}
