/** A child has sent an invalid message: its process is ended, without other consequences. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
