/** The value of a hexadecimal digit, or -1. */
function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The byte of two digits at a position, or -1. */
export function readHexByte(value: string, at: number): number {
  if (at + 1 >= value.length) return -1;
  const high = hexValue(value.charCodeAt(at));
  const low = hexValue(value.charCodeAt(at + 1));
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

/** The byte of a four-digit code: full-width forms become the letter they look like, others their low byte. */
export function foldCode(high: number, low: number): number {
  return high === 0xff && low > 0 && low < 0x5f ? low + 0x20 : low;
}
