/** Files that are named by their content, and never change. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '#base';

/** Writes a file atomically; resolves when the file and its name are on disk. */
export async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  makeDirectory(folder);
  const file = join(folder, name);
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await using handle = await open(temporary, 'w', 0o600);
    await handle.writeFile(bytes);
    await handle.sync();
    await rename(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** Deletes unused files that were written before this time. */
export function removeUnused(folder: string, used: ReadonlySet<string>, beforeMs: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!used.has(name) && statSync(file).mtimeMs < beforeMs) rmSync(file, { force: true });
  }
}
