/** How long a client that solved a challenge is not asked again. */
export const clearanceMs = 30 * 60_000;

/** How long a puzzle can be solved: slow devices, and people who look elsewhere. */
export const puzzleMs = 10 * 60_000;

/** Leading zero bits: some 65,000 hashes, a fraction of a second on a telephone. */
export const puzzleBits = 16;

/** A solution and its puzzle, as a form. */
export const solutionBytesMax = 2_048;
