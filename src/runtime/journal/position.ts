/**
 * A position is a place in the log: the number of bytes of records before it, counted from the first
 * record ever written. Positions only grow, never repeat, and do not depend on how the log is cut into
 * files, so a position is also an order of events.
 */
export type Position = number & { readonly brand: 'Position' };

/** The position of the first record ever written; zero means "no record". */
export const firstPosition = 8 as Position;

export const noPosition = 0 as Position;

/** Sixteen hexadecimal digits, so that text order is log order. */
export function formatPosition(position: Position): string {
  return position.toString(16).padStart(16, '0');
}

export function parsePosition(text: string): Position | undefined {
  if (!/^[0-9a-f]{16}$/.test(text)) return undefined;
  const value = Number.parseInt(text, 16);
  return Number.isSafeInteger(value) ? (value as Position) : undefined;
}
