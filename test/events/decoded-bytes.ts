/** Everything that a directory says, also in compressed form: to show that something is in none of its files. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync, constants } from 'node:zlib';

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
}

/** The files in which a text is, as it is or inside anything that can be decompressed. */
export function findText(directory: string, text: string): string[] {
  return listFiles(directory).filter((path) => {
    const bytes = readFileSync(path);
    return bytes.includes(text) || decompressAll(bytes).some((part) => part.includes(text));
  });
}

function decompressAll(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = bytes.indexOf(zstdMagic); at >= 0; at = bytes.indexOf(zstdMagic, at + 1)) {
    const next = bytes.indexOf(zstdMagic, at + 1);
    // The length is not known: the next one may start inside, or something else follow. Both end in an error or in all of it.
    for (const end of [next < 0 ? bytes.length : next, bytes.length]) {
      try {
        parts.push(zstdDecompressSync(bytes.subarray(at, end), { finishFlush: constants.ZSTD_e_flush }));
        break;
      } catch {
        // Not a whole frame, or one that needs a dictionary.
      }
    }
  }
  return parts;
}
