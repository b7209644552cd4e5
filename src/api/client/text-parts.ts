/** A body of text, read as it comes in. */

/** The parts that a separator ends: what follows the last one was cut off. */
export async function* readParts(
  body: ReadableStream<Uint8Array> | null,
  separator: RegExp,
): AsyncGenerator<string, void> {
  if (body === null) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const parts = text.split(separator);
      text = parts.pop()!;
      yield* parts;
    }
  } finally {
    // A reader that stops is not sent the rest.
    await reader.cancel();
  }
}

/** Lines that are JSON objects. */
export async function* readJsonLines(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<Readonly<Record<string, unknown>>, void> {
  for await (const line of readParts(body, /\n/)) yield JSON.parse(line) as Readonly<Record<string, unknown>>;
}

/** Browsers, whose types the page is checked with, do not have `ReadableStream.from` yet. */
export function toStream(pieces: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
