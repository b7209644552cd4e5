/** Bounds of learning at the edge, each with its reason. */

/** Requests that wait to be learned from: with their bodies at most 4 MiB. */
export const waitingMax = 64;

/** Longer bodies are documents and files. */
export const bodyCharactersMax = 64 * 1024;

/** So many requests are looked at at once, and so long is the pause: at most 80 in a second, below 1 % of a core. */
export const drainRequestsMax = 4;
export const drainMs = 50;

/** How often what was learned is told: as much is lost if the process is killed. */
export const tellMs = 30_000;

/** Zones that are learned of between two reports. With 80 requests in a second, all together take some megabytes at most. */
export const zonesMax = 50;
