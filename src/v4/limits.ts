/** Bodies hold rules, items and bundles of them; more than this is a mistake or an attack. */
export const bodyBytesMax = 4 * 1024 * 1024;

/** The deepest document of the API has seven levels. */
export const jsonDepthMax = 32;

/** A body with more mistakes than this gets the first of them. */
export const problemsMax = 20;

/** Targets carry filters and expressions: 4,096 characters, percent-encoded, and the rest. */
export const targetCharactersMax = 16 * 1024;

/** Of keys in a body: longer ones are no names of ours, and messages and pointers say keys back. */
export const keyCharactersMax = 256;
