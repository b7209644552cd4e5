/** Limits of learning at the edge, each with its reason. */

/** Requests that wait to be learned from: with their bodies at most 4 MiB. */
export const waitingMax = 64;

/** Longer bodies are documents and files. */
export const bodyCharactersMax = 64 * 1024;

/** Requests processed in one batch, and the pause between batches: at most 80 per second, below 1 % of a core. */
export const drainRequestsMax = 4;
export const drainMs = 50;

/** How often the result is sent: a killed process loses at most this much. */
export const reportMs = 30_000;

/** Zones learned about between two reports. With 80 requests per second, all together take some megabytes at most. */
export const zonesMax = 50;
