/** The part of a body that fields show by default: the maximum of all Cloudflare plans. */
export const inspectedBodyBytesMax = 128 * 1024;

/** The largest value that can be set: judging this much text under the rules of CRS takes a second or more. */
export const raisedBodyBytesMax = 1024 * 1024;

/** The start of a file in a long form: file signatures inspect it. */
export const formFileBytesShown = 4 * 1024;

/** The starts of all files of a form together, so that many small files take no more memory than the texts. */
export const formFilesBytesShown = 64 * 1024;

/** Browsers send some 200 bytes. A part with a longer head is treated as text. */
export const formHeadBytesMax = 8 * 1024;

/**
 * How many arguments, cookies, segments of the path or values of a body detectors and learning read one by one. What
 * follows belongs to the last one, so that nothing is skipped.
 * Their size is bounded by what carries them: the head of a request (`traffic/edge/wire/limits.ts`) or its body.
 */
export const argumentsMax = 10_000;
