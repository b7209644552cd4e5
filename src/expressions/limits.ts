/** Bounds of one expression, each with its reason. */

/** As the API of the original counts them. Everything else about parsing is bounded by this. */
export const expressionCharactersMax = 4096;

/** Parentheses, `not`, `any`/`all` and calls within each other: the original's default. */
export const nestingDepthMax = 128;

/** The deepest that a caller may ask for: the parser recurses, and the stack must hold. */
export const nestingDepthLargest = 500;

/** Patterns in one expression, on every plan of the original. */
export const regexesMax = 64;

/** `#` on each side of a raw string: the original counts them in a byte. */
export const rawStringHashesMax = 255;

/** Elements are numbered in 32 bits. */
export const arrayIndexMax = 0xffff_ffff;

/** `${1}` to `${8}` in a replacement. */
export const replacementReferencesMax = 8;

/** Items that `split` may be asked for. */
export const splitItemsMax = 128;
