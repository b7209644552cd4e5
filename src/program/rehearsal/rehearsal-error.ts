/** A rehearsal that cannot continue, with a message for the user who started it. */
export class RehearsalError extends Error {
  override readonly name = 'RehearsalError';
}
