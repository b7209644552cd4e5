/** All contents of a directory, also the compressed ones: to show that a text is in none of its files. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync, constants } from 'node:zlib';

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
}

/** The files that contain a text, directly or in a compressed part. */
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
    // The length is not known: the next frame may start inside, or other data may follow. Both end in an error or in
    // the whole text.
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
