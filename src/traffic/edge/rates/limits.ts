/**
 * Keys that one process counts at the same time: some 30 MB. Beyond the limit, the keys idle for longest are evicted.
 */
export const rateKeysMax = 200_000;

/** Longer values are counted by their digest. */
export const rateValueCharactersMax = 62;

/** Keys that a process lists for the API. */
export const shownKeysMax = 500;

/** How many keys are examined to find one to evict. */
export const forgottenOfMax = 16;

/**
 * How long a process waits before it sends counts of keys that are far from their limits to the others. Counts near the
 * limit are sent at once.
 */
export const shareMs = 50;

/**
 * How long the response to a request near a limit waits for the other processes; they acknowledge within milliseconds.
 */
export const sharedMsMax = 250;

/** After a longer wait, no response waits for this long. */
export const impatientMs = 5_000;

/** Keys in one message between processes. The others do not count what exceeds it. */
export const sharedKeysMax = 5_000;
