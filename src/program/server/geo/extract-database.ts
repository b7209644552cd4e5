/** The database in a download: the file itself, or the first one of a tar archive, as MaxMind publishes them. */
import { readTar } from '#streams';

/** The position of `ustar` in an archive, and its end. */
const mark = [257, 262] as const;

/** The bytes are already decompressed. */
export async function* extractDatabase(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const all = chunks[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < mark[1]) {
    const next = await all.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  const content = prepend(start, all);
  if (start.toString('latin1', ...mark) !== 'ustar') return yield* content;
  for await (const file of readTar(content)) if (file.path.endsWith('.mmdb')) return yield* file.content;
  throw new Error('the archive has no .mmdb file');
}

async function* prepend(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield start;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
