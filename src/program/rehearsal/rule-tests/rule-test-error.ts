/** An error that the user can correct: a suite, a recording or a directory of rules that cannot be read. */
export class RuleTestError extends Error {
  override readonly name: string = 'RuleTestError';
}

/** The server to which requests are sent does not answer. */
export class UnreachableServerError extends RuleTestError {
  override readonly name = 'UnreachableServerError';
}
