import type { ChallengeKind } from '#rulesets';

/** How long a client is not challenged again after it solved a challenge. */
export const clearanceMs = 30 * 60_000;

/** How long a visitor keeps its id, unless the browser is closed earlier. */
export const visitorMs = 24 * 60 * 60_000;

/** How long a puzzle can be solved: devices are slow, and people look elsewhere. */
export const puzzleMs = 10 * 60_000;

/**
 * Leading zero bits of the hash that solves a challenge: about 65,000, 260,000 and 520,000 hashes. Phones compute some
 * 200,000 in a second.
 */
export const puzzleBits: Readonly<Record<ChallengeKind, number>> = {
  js_challenge: 16,
  managed_challenge: 18,
  challenge: 19,
};

/** A number with this many digits, the signature and a colon together fill one block of SHA-256. */
export const solutionDigitsMax = 11;

/** Size of a solution and its puzzle as a form. */
export const solutionBytesMax = 2_048;

/** How long the page computes without a pause, so that it stays responsive. */
export const sliceMs = 30;

/** Cookies of one name that are checked per request. A browser sends one; each costs a hash. */
export const cookiesMax = 4;
