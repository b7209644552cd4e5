/** How long a client that solved a challenge is not asked again. */
export const clearanceMs = 30 * 60_000;

/** How long a puzzle can be solved: slow devices, and people who look elsewhere. */
export const puzzleMs = 10 * 60_000;

/** Leading zero bits: some 65,000 hashes, a fraction of a second on a telephone. */
export const puzzleBits = 16;

/** With the signature and a colon before it, a number of so many digits fills one block of SHA-256. */
export const solutionDigitsMax = 11;

/** A solution and its puzzle, as a form. */
export const solutionBytesMax = 2_048;

/** The page works for so long without a pause: nothing that a person does has to wait longer. */
export const sliceMs = 30;

/** Clearances of one request that are looked at. A browser has one; each costs a hash. */
export const cookiesMax = 4;
