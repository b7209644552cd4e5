/** A rehearsal that cannot go on, in words for the person who started it. */
export class RehearsalError extends Error {
  override readonly name = 'RehearsalError';
}
