/** The judging thread. */

/** Zones whose compiled rules it holds; each is compiled again when it is needed after that. */
export const threadZonesMax = 64;

/** How long it waits for work before it gives its memory back. */
export const idleMsMax = 60_000;

/** How often somebody looks whether it hangs. */
export const threadLookMs = 250;

/** A request that takes so many times the CPU time of its budget does something that is not counted. */
export const stuckBudgets = 4;
