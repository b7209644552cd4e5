/** Limits on the time and place of judging. */

/** Steps of judging per turn of the event loop: some 10 ms, and one more request, which has its own limit. */
export const turnStepsMax = 2_000_000;

/**
 * The cost of judging a request in the thread that has the connections before the request moves to the judging thread:
 * some 5 ms, five times the cost of a page in a zone with all managed rules.
 */
export const triedStepsMax = 1_000_000;
export const triedCpuMsMax = 10;

/** Failed tries of a zone per second. */
export const triesLostMax = 4;

/** A body with this many characters is not tried: under managed rules it takes longer than a try. */
export const longBodyMin = 32_768;

/** Steps of judging per second for all zones: a quarter of a core. Beyond it, costly zones get equal shares. */
export const secondStepsMax = 50_000_000;

/** A zone is costly if its requests take more than this on average: twenty times the cost of an ordinary request. */
export const costlyStepsMin = 200_000;

/** Length of paths, queries and user agents in events. */
export const eventTextMax = 2_048;

/** Arguments listed in the metadata of an event: its explanation has all of them. */
export const matchedPartsMax = 5;

/** Zones whose compiled rules it keeps; evicted zones are recompiled when needed. */
export const threadZonesMax = 64;

/** How long it waits for work before it stops and frees its memory. */
export const idleMsMax = 60_000;

/** How often it is checked for a hang. */
export const threadLookMs = 250;

/** A request that takes this many times the CPU time of its budget does something that is not counted as steps. */
export const stuckBudgets = 4;
