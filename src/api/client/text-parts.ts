/** Reads a text body as it arrives. */

/** The parts of the body, each ended by a separator. Text after the last separator was cut off and is dropped. */
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
    // If the consumer stops early, the rest of the body is not transferred.
    await reader.cancel();
  }
}

/** Lines that are JSON objects. */
export async function* readJsonLines(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<Readonly<Record<string, unknown>>, void> {
  for await (const line of readParts(body, /\n/)) yield JSON.parse(line) as Readonly<Record<string, unknown>>;
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
