/** Bounds of what is read from a project, so that a wrong path ends in a message rather than in a full memory. */

/** Far above any configuration; a path to something else is the likely cause of more. */
export const configBytesMax = 1024 * 1024;

/** Editors write a file in several steps: changes within this time are one change. */
export const watchSettleMs = 60;
