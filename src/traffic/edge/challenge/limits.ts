import type { ChallengeKind } from '#firewall';

/** How long a client that solved a challenge is not challenged again. */
export const clearanceMs = 30 * 60_000;

/** How long a visitor keeps its id. A browser forgets it when it is closed. */
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

/** Together with the signature and a colon, a number of this many digits fills one block of SHA-256. */
export const solutionDigitsMax = 11;

/** A solution and its puzzle, as a form. */
export const solutionBytesMax = 2_048;

/** How long the page computes without a pause, so that it stays responsive. */
export const sliceMs = 30;

/** Cookies of one name in a request that are checked. A browser has one; each costs a hash. */
export const cookiesMax = 4;
