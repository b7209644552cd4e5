/**
 * Zones whose compiled rules an edge keeps in memory, and characters of their configurations: a zone with five rules
 * takes 12 KiB.
 */
export const loadedZonesMax = 5_000;
export const loadedCharactersMax = 64 * 1024 * 1024;

/**
 * How long an authority waits for the proof of a name: configurations arrive much sooner, and authorities time out
 * later.
 */
export const acmeProofMsMax = 8_000;
