import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

const sequence =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/g;

/** UTF-8 characters beyond ASCII become `%uHHHH`, so that urlDecodeUni can fold similar-looking characters. */
export const utf8toUnicode: Transformation = {
  name: 'utf8tounicode',
  touches: byteKinds.high,
  apply: (value) =>
    value.replaceAll(sequence, (bytes) => {
      let code = bytes.charCodeAt(0) & (0x7f >> bytes.length);
      for (let at = 1; at < bytes.length; at++) code = code * 0x40 + (bytes.charCodeAt(at) & 0x3f);
      return `%u${code.toString(16).padStart(4, '0')}`;
    }),
};
