/**
 * The longest line of a log that is read; longer ones count as invalid. A request head is at most 64 KiB on the wire.
 */
export const lineCharactersMax = 1024 * 1024;

/** A HAR file is one JSON document, so it is read as a whole. */
export const harBytesMax = 256 * 1024 * 1024;

/** Changed requests that a report lists individually. Its counts include further ones. */
export const listedChangesMax = 10_000;

/** Examples shown for each rule in the text and in the page. */
export const examplesMax = 5;

/** Paths that are counted individually; the requests of further ones are counted together. */
export const countedPathsMax = 10_000;

/** Combinations of rules that add to scores. Harm beyond them is detected when a suggestion is replayed. */
export const countedScoresMax = 10_000;

/** The length of each text of a request in the report. */
export const shownCharactersMax = 500;

/** Paths in one suggested exception; a rule that needs more is better overridden or rewritten by hand. */
export const exceptionPathsMax = 20;

/** Each trial of an edit replays all traffic. */
export const suggestionTrialsMax = 10;

/** The number of slices in which requests are shown over time. */
export const timeSlicesMax = 60;

/** Items that one call adds to a list of the copy. */
export const itemsPerCall = 1_000;
