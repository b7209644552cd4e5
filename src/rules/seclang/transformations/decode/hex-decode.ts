import { anyByte, byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

export const hexDecode: Transformation = {
  name: 'hexdecode',
  touches: anyByte,
  apply: (value) => Buffer.from(value, 'hex').toString('latin1'),
};

/** `0x414243`, the SQL notation for bytes. */
export const sqlHexDecode: Transformation = {
  name: 'sqlhexdecode',
  touches: byteKinds.digit,
  apply: (value) =>
    value.replaceAll(/0[xX]((?:[0-9A-Fa-f]{2})+)/g, (_, digits: string) =>
      Buffer.from(digits, 'hex').toString('latin1'),
    ),
};
