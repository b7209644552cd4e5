/** Limits of one expression, each with its reason. */

/** Cloudflare's limit, counted as its API does. It also limits all other costs of parsing. */
export const expressionCharactersMax = 4096;

/**
 * Total length of the expressions that are parsed ahead. A call with a thousand large rules has some three million
 * characters.
 */
export const heldCharactersMax = 8_388_608;

/** Nesting of parentheses, `not`, `any`/`all` and calls: wirefilter's default. */
export const nestingDepthMax = 128;

/** The largest value that a caller may set: the parser recurses, and the stack must not overflow. */
export const nestingDepthLargest = 500;

/** Patterns in one expression, on each of Cloudflare's plans. */
export const regexesMax = 64;

/** `#` on each side of a raw string: wirefilter counts them in a byte. */
export const rawStringHashesMax = 255;

/** Elements are numbered in 32 bits. */
export const arrayIndexMax = 0xffff_ffff;

/** `${1}` to `${8}` in a replacement. */
export const replacementReferencesMax = 8;

/** Items that `split` may be asked to return. */
export const splitItemsMax = 128;
