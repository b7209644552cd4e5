/**
 * Contents that are being read stay until their readers are done. The counts are of the process: an object may be started
 * again while streams of the one before it go on.
 */

/** How many read each of them, by a name, and how to remove those that are to go after them. */
const readers = new Map<string, number>();
const doomed = new Map<string, () => void>();
/** A stream that is neither read to its end nor cancelled holds what it reads until it is collected. */
const abandoned = new FinalizationRegistry<() => void>((release) => release());

/** Keeps contents until the result is called. */
export function holdBodies(names: readonly string[]): () => void {
  for (const name of names) readers.set(name, (readers.get(name) ?? 0) + 1);
  let isHeld = true;
  return () => {
    if (isHeld) for (const name of names) release(name);
    isHeld = false;
  };
}

/** Whether somebody reads it: then it is removed when the last of them is done. */
export function removeLater(name: string, remove: () => void): boolean {
  if (!readers.has(name)) return false;
  doomed.set(name, remove);
  return true;
}

/** Chunks as a stream, which releases what it reads at its end. */
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
