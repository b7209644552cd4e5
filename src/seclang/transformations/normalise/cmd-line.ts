import { byteKinds } from '../byte-kinds.ts';
import type { Transformation } from '../transformation.ts';

/** Without this, none of the steps below changes anything. */
const changed = /[\\"'^A-Z,;\t\n\v\f\r]| [ /(]/;

/** What a shell would read: quotes, carets and backslashes gone, separators as one space, none before `/` and `(`. */
export const cmdLine: Transformation = {
  name: 'cmdline',
  touches:
    byteKinds.backslash |
    byteKinds.quote |
    byteKinds.caret |
    byteKinds.separator |
    byteKinds.space |
    byteKinds.upper,
  apply: (value) =>
    changed.test(value)
      ? value
          .replaceAll(/[\\"'^]/g, '')
          .replaceAll(/[,; \t\n\v\f\r]+/g, ' ')
          .replaceAll(/ (?=[/(])/g, '')
          .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
      : value,
};
