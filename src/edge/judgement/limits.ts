/** Of a value in an explanation; enough to see what it is about. */
export const valueCharactersMax = 256;

/** Paths, queries and user agents in events. */
export const eventTextMax = 2_048;
