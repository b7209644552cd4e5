/** Paths, queries and user agents in events. */
export const eventTextMax = 2_048;
