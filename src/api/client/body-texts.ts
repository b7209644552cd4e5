/** Reads a text body as it arrives. */
import { readLines } from '#streams';

/** The text of the body, in pieces. */
export async function* readTexts(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void> {
  if (body === null) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // If the consumer stops early, the rest of the body is not transferred.
    await reader.cancel();
  }
}

/** Lines that are JSON objects. */
export async function* readJsonLines(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<Readonly<Record<string, unknown>>, void> {
  for await (const line of readLines(readTexts(body)))
    yield JSON.parse(line) as Readonly<Record<string, unknown>>;
}

/** Browsers, whose types the page is checked against, do not have `ReadableStream.from` yet. */
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
