/** The deepest document of the API has seven levels. */
export const jsonDepthMax = 32;

/** Keys of one object: the maps of a bundle have up to 5,000, everything else a few dozen. */
export const jsonKeysMax = 5_000;

/** Values in a body: 10,000 items of a list with all of their fields are half of it. */
export const jsonValuesMax = 200_000;

/** For a body with more mistakes, the first of them are reported: more than a person fixes at a time. */
export const problemsMax = 20;

/** A refused value up to this length is repeated whole in the message, as Cloudflare does: expressions are. */
export const shownCharactersMax = 4096;

/** Of a longer value, and of one that is out of its bounds, the message repeats this much: enough to recognise it. */
export const beginningCharactersMax = 100;

/** The length of keys in a body: longer ones are not Gatehouse's, and messages and pointers repeat keys. */
export const keyCharactersMax = 256;
