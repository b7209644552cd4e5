import { changeBytes } from '#base';
import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** ASCII only: bytes beyond it do not count as letters. */
export const lowercase: Transformation = {
  name: 'lowercase',
  touches: byteKinds.upper,
  changesCaseOnly: true,
  apply: (value) =>
    changeBytes(value, (bytes, length) => {
      for (let at = 0; at < length; at++) {
        const byte = bytes[at]!;
        if (byte >= 0x41 && byte <= 0x5a) bytes[at] = byte | 0x20;
      }
      return length;
    }),
};
