/** Errors that faults cause. */
/** The error texts for a lost call or answer, and for a failed `fetch`: those of Cloudflare and of Node. */
export const lostText = 'Network connection lost.';
export const fetchFailedText = 'fetch failed';

/** Whether an error only reports a failure of the environment, so that the operation may or may not have been done. */
export function isLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { retryable, durableObjectReset } = error as { retryable?: boolean; durableObjectReset?: boolean };
  return (
    retryable === true || durableObjectReset === true || [lostText, fetchFailedText].includes(error.message)
  );
}
