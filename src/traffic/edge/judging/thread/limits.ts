/** Limits of the judging thread. */

/** Zones whose compiled rules it keeps; evicted zones are recompiled when needed. */
export const threadZonesMax = 64;

/** How long it waits for work before it stops and frees its memory. */
export const idleMsMax = 60_000;

/** How often it is checked for a hang. */
export const threadLookMs = 250;

/** A request that takes this many times the CPU time of its budget does something that is not counted as steps. */
export const stuckBudgets = 4;
