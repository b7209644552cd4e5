/** An order failed because of the authority, or the connection to it. The message contains the authority's own text. */
export class AcmeError extends Error {
  override readonly name = 'AcmeError';
  readonly code = 'ACME_FAILED';
  /**
   * The last part of the problem's type, as `rateLimited` of `urn:ietf:params:acme:error:rateLimited`; or a code of
   * Gatehouse.
   */
  readonly problem: string;
  /** When the authority accepts another attempt. */
  readonly retryAfterMs: number | undefined;
  /** Whether another way to prove the name may succeed. */
  readonly isAboutProof: boolean;

  constructor(
    problem: string,
    message: string,
    {
      retryAfterMs,
      isAboutProof = false,
    }: { readonly retryAfterMs?: number; readonly isAboutProof?: boolean } = {},
  ) {
    super(message);
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
    this.isAboutProof = isAboutProof;
  }
}

export function toUnreachable(error: Error): never {
  throw new AcmeError('unreachable', error.message);
}
