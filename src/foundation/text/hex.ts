/** The number that the hexadecimal digits from one position to another represent, or -1 if one of them is none. */
export function readHex(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = hexValueOf[bytes[at]!]!;
    if (digit === -1) return -1;
    number = number * 16 + digit;
  }
  return number;
}

/** The value of each digit, -1 for other bytes. */
export const hexValueOf = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  hexValueOf[digit.charCodeAt(0)] = value;
  hexValueOf[digit.toUpperCase().charCodeAt(0)] = value;
}
