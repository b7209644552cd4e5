/** Bytes that are at hand, as a body that is sent in pieces. A call that is repeated sends them again. */
export function wholeBody(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}
