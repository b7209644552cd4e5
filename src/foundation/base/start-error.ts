/** The reason why the program does not start, for the person who starts it. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code = 'CANNOT_START';
}
