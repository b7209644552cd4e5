/**
 * Contents that are being read stay until their readers are done. The counts are per process: an object may be started
 * again while streams of its previous life continue.
 */
import { r2PieceBytes } from '../../limits.ts';
import type { BodyContent } from '../r2-records.ts';

/** How many readers each name has, and the removals to run after the last one. */
const readers = new Map<string, number>();
const doomed = new Map<string, () => void>();
/** A stream that is neither read to its end nor cancelled holds its contents until it is garbage-collected. */
const abandoned = new FinalizationRegistry<() => void>((release) => release());

/** Keeps contents until the returned function is called. */
export function holdBodies(names: readonly string[]): () => void {
  for (const name of names) readers.set(name, (readers.get(name) ?? 0) + 1);
  let isHeld = true;
  return () => {
    if (isHeld) for (const name of names) release(name);
    isHeld = false;
  };
}

/** Whether the contents are being read: then they are removed when the last reader is done. */
export function removeLater(name: string, remove: () => void): boolean {
  if (!readers.has(name)) return false;
  doomed.set(name, remove);
  return true;
}

/** Short contents as bytes, longer ones as a stream; releases them at their end. */
export async function readHeldBody(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  length: number,
  releaseAll: () => void,
): Promise<BodyContent> {
  if (length > r2PieceBytes) return createBodyStream(chunks, releaseAll);
  try {
    return Buffer.concat(await Array.fromAsync(chunks));
  } finally {
    releaseAll();
  }
}

/** Chunks as a stream, which releases its contents at its end. */
export function createBodyStream(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  releaseAll: () => void,
): ReadableStream {
  const stream = new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done !== true) return controller.enqueue(value);
          releaseAll();
          controller.close();
          controller.byobRequest?.respond(0);
        } catch (error) {
          releaseAll();
          throw error;
        }
      },
      async cancel() {
        await chunks.return(undefined);
        releaseAll();
      },
    },
    { highWaterMark: 0 },
  );
  abandoned.register(stream, releaseAll);
  return stream;
}

function release(name: string): void {
  const left = readers.get(name)! - 1;
  if (left > 0) return void readers.set(name, left);
  readers.delete(name);
  const remove = doomed.get(name);
  doomed.delete(name);
  remove?.();
}
