/** Available bytes as a body that is sent in pieces. A retried call sends them again. */
export function wholeBody(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}
