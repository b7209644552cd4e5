/** Errors that faults lead to. */
/** What code gets whose call or answer is lost, and whose `fetch` fails: the words of Cloudflare, and of Node. */
export const lostText = 'Network connection lost.';
export const fetchFailedText = 'fetch failed';

/** Whether an error says only that something of the surroundings failed, so that what was asked for may be done or not. */
export function isLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { retryable, durableObjectReset } = error as { retryable?: boolean; durableObjectReset?: boolean };
  return (
    retryable === true || durableObjectReset === true || [lostText, fetchFailedText].includes(error.message)
  );
}
