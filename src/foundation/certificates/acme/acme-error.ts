/** What an authority, or the way to it, has against an order. The message has the authority's own words. */
export class AcmeError extends Error {
  override readonly name = 'AcmeError';
  readonly code = 'ACME_FAILED';
  /** The last part of the problem's type, as `rateLimited` of `urn:ietf:params:acme:error:rateLimited`; or our own word. */
  readonly problem: string;
  /** When the authority wants to be asked again. */
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
