import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';
import { foldCode, readHexByte } from './hex.ts';

/** As urlDecode, and `%uHHHH`. */
export const urlDecodeUni: Transformation = {
  name: 'urldecodeuni',
  touches: byteKinds.percent | byteKinds.plus,
  apply: (value) =>
    value
      .replaceAll('+', ' ')
      .replaceAll(
        /%(?:[uU]([0-9A-Fa-f]{4})|([0-9A-Fa-f]{2}))/g,
        (_, code: string | undefined, digits: string) =>
          String.fromCharCode(
            code === undefined
              ? readHexByte(digits, 0)
              : foldCode(readHexByte(code, 0), readHexByte(code, 2)),
          ),
      ),
};
