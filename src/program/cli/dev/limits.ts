/** Limits of `gatehouse dev`. */

/** With a debugger, code may stand still for as long as somebody looks at it. */
export const debuggedMs = 24 * 60 * 60_000;
