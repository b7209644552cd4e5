/** Paths, queries and user agents in events. */
export const eventTextMax = 2_048;

/** Arguments that the metadata of an event names: its explanation has all of them. */
export const matchedPartsMax = 5;

/**
 * Zones whose compiled rules an edge holds, and characters of their configurations: a zone with five rules takes
 * 12 KiB.
 */
export const loadedZonesMax = 5_000;
export const loadedCharactersMax = 64 * 1024 * 1024;

/**
 * Steps of judging in one turn of the event loop before everything else that waits is served: some 10 ms, and one more
 * request, which is bounded itself.
 */
export const turnStepsMax = 2_000_000;

/** Steps of judging in a second, of all zones: a quarter of a core. Beyond it, costly zones get equal shares. */
export const secondStepsMax = 50_000_000;

/** A zone is costly if its requests take more than this on average: twenty times what an ordinary one takes. */
export const costlyStepsMin = 200_000;
