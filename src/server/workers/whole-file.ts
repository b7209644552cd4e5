import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '#base';

/** Writes a file that is there whole or not at all; resolves when it is on disk, and so is its name. */
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
