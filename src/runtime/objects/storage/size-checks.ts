import { type ObjectLimits, valueOverheadBytes } from '../limits.ts';
import { keyBytes } from '../stores/binary-keys.ts';

export function checkKey(key: string, { keyBytesMax }: ObjectLimits): string {
  // No char takes more than three bytes of UTF-8: most keys need no counting.
  if (key.length * 3 > keyBytesMax && keyBytes(key) > keyBytesMax) {
    throw new RangeError(
      `Keys cannot be larger than ${keyBytesMax} bytes. A key of size ${keyBytes(key)} was provided.`,
    );
  }
  return key;
}

export function checkValue(bytes: Uint8Array, { valueBytesMax }: ObjectLimits): Uint8Array {
  if (bytes.length > valueBytesMax + valueOverheadBytes) {
    throw new RangeError(
      `Values cannot be larger than ${valueBytesMax} bytes. A value of size ${bytes.length} was provided.`,
    );
  }
  return bytes;
}

export function checkPairs(count: number, { pairsMax }: ObjectLimits): void {
  if (count > pairsMax) {
    throw new RangeError(`Maximum number of key value pairs is ${pairsMax}. ${count} pairs were provided.`);
  }
}
