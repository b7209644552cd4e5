/** The deepest document of the API has seven levels. */
export const jsonDepthMax = 32;

/** Of one object: the maps of a bundle have up to 5,000, everything else a few dozen. */
export const jsonKeysMax = 5_000;

/** In a body: 10,000 items of a list with all of their fields are half of it. */
export const jsonValuesMax = 200_000;

/** A body with more mistakes than this gets the first of them: more than anyone mends at a time. */
export const problemsMax = 20;

/** A refused value up to this length is repeated whole in the message, as Cloudflare does: expressions are. */
export const shownCharactersMax = 4096;

/** Of a longer one, and of one that is out of its bounds, the message repeats this much: enough to know it by. */
export const beginningCharactersMax = 100;

/** Of keys in a body: longer ones are no names of ours, and messages and pointers say keys back. */
export const keyCharactersMax = 256;
