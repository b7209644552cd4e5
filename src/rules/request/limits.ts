/** The part of a body that fields show by default: the most that any of Cloudflare's plans shows. */
export const bodyBytesMax = 128 * 1024;

/** What that can be raised to: judging so much text under the rules of CRS takes a second or more. */
export const raisedBodyBytesMax = 1024 * 1024;

/** The beginning of a file in a long form: signatures of files look for what stands there. */
export const formFileBytesShown = 4 * 1024;

/** Of all files of a form together, so that many small ones take no more memory than the texts. */
export const formFilesBytesShown = 64 * 1024;

/** Browsers send some 200 bytes. A longer head is text, and so is its part. */
export const formHeadBytesMax = 8 * 1024;
