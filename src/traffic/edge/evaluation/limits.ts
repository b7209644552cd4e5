/**
 * Zones whose compiled rules an edge holds, and characters of their configurations: a zone with five rules takes
 * 12 KiB.
 */
export const loadedZonesMax = 5_000;
export const loadedCharactersMax = 64 * 1024 * 1024;

/** How long an authority waits for the proof of a name: configurations arrive much sooner, and authorities give up later. */
export const acmeProofMsMax = 8_000;
