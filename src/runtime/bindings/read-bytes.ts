/** Reads a stream of bytes to its end, or until it has returned more than `bytesMax`: then it is cancelled. */
export async function readBytes(stream: ReadableStream<unknown>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of stream) {
    const bytes = toChunk(chunk);
    chunks.push(bytes);
    length += bytes.length;
    if (length > bytesMax) break;
  }
  return Buffer.concat(chunks);
}

export function toChunk(chunk: unknown): Uint8Array {
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new TypeError(
    'This ReadableStream did not return bytes: its chunks must be ArrayBuffers or ArrayBufferViews.',
  );
}
