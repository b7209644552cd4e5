/** Files that are named by their content, and never change. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, replaceFile } from '#files';

/** Writes a file atomically; resolves when the file and its name are on disk. */
export async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  makeDirectory(folder);
  await replaceFile(join(folder, name), (handle) => handle.writeFile(bytes));
}

/** Deletes unused files that were written before this time. */
export function removeUnused(folder: string, used: ReadonlySet<string>, beforeMs: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!used.has(name) && statSync(file).mtimeMs < beforeMs) rmSync(file, { force: true });
  }
}
