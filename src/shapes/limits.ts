/** The deepest document of the API has seven levels. */
export const jsonDepthMax = 32;

/** A body with more mistakes than this gets the first of them: more than anyone mends at a time. */
export const problemsMax = 20;

/** How much of a refused value a message repeats: an expression whole, of anything longer the beginning. */
export const shownCharactersMax = 4096;

/** Of keys in a body: longer ones are no names of ours, and messages and pointers say keys back. */
export const keyCharactersMax = 256;
