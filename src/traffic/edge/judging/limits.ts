/** What judging may take, and where. */

/**
 * Steps of judging in one turn of the event loop before everything else that waits is served: some 10 ms, and one more
 * request, which is bounded itself.
 */
export const turnStepsMax = 2_000_000;

/**
 * What judging a request may take in the thread that has the connections, before it is left to another one: some 5 ms, five
 * times what a page of a zone with all managed rules takes.
 */
export const triedStepsMax = 1_000_000;
export const triedCpuMsMax = 10;

/** Tries of a zone in a second that may be for nothing. */
export const triesLostMax = 4;

/** A body of so many characters is not tried: under managed rules it takes more. */
export const longBodyMin = 32_768;

/** Steps of judging in a second, of all zones: a quarter of a core. Beyond it, costly zones get equal shares. */
export const secondStepsMax = 50_000_000;

/** A zone is costly if its requests take more than this on average: twenty times what an ordinary one takes. */
export const costlyStepsMin = 200_000;

/** Paths, queries and user agents in events. */
export const eventTextMax = 2_048;

/** Arguments that the metadata of an event names: its explanation has all of them. */
export const matchedPartsMax = 5;
