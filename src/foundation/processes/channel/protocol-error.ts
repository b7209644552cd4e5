/** What a child has sent is not what a child sends: its process is ended, and nothing else. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
