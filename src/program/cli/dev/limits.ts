/** Limits of `gatehouse dev`. */

/** With a debugger, code may be paused for as long as a developer inspects it. */
export const debuggedMs = 24 * 60 * 60_000;
