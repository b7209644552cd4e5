/** What a user can correct: a suite, a recording or a directory of rules that cannot be read. */
export class RuleTestError extends Error {
  override readonly name: string = 'RuleTestError';
}

/** The server that requests are sent to does not answer. */
export class UnreachableServerError extends RuleTestError {
  override readonly name = 'UnreachableServerError';
}
