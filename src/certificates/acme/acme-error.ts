/** What an authority, or the way to it, has against an order. The message has the authority's own words. */
export class AcmeError extends Error {
  override readonly name = 'AcmeError';
  readonly code = 'ACME_FAILED';
  /** The last part of the problem's type, as `rateLimited` of `urn:ietf:params:acme:error:rateLimited`; or our own word. */
  readonly problem: string;
  /** When the authority wants to be asked again. */
  readonly retryAfterMs: number | undefined;

  constructor(problem: string, message: string, { retryAfterMs }: { readonly retryAfterMs?: number } = {}) {
    super(message);
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}
