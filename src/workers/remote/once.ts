/** Bytes that are at hand, as a body that is sent in pieces. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
