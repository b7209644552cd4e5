/** Operators that check the bytes of a value, and those that match always or never. */
import { isUtf8 } from 'node:buffer';
import { captureWhole, type OperatorDefinition } from './operator.ts';

const noMatch: OperatorDefinition = {
  name: 'nomatch',
  prepare: () => ({ test: () => false, capture: captureWhole }),
};

const unconditionalMatch: OperatorDefinition = {
  name: 'unconditionalmatch',
  prepare: () => ({ test: () => true, capture: captureWhole }),
};

/** Matches a value with a byte outside of the ranges: `32-126,9,10`. */
const validateByteRange: OperatorDefinition = {
  name: 'validatebyterange',
  prepare: ({ source }) => {
    const allowed = new Uint8Array(256);
    for (const piece of source.split(',')) {
      const range = /^\s*(\d{1,3})\s*(?:-\s*(\d{1,3})\s*)?$/.exec(piece);
      if (range === null) throw new RangeError(`"${piece.trim()}" is not a byte range`);
      const first = Number(range[1]);
      const last = Number(range[2] ?? range[1]);
      if (first > last || last > 255) throw new RangeError(`"${piece.trim()}" is not a byte range`);
      allowed.fill(1, first, last + 1);
    }
    const refused = Array.from(allowed.keys()).filter((byte) => allowed[byte] === 0);
    return {
      literals: { literals: refused.map((byte) => String.fromCharCode(byte)), ignoreCase: false },
      test: (value) => {
        for (let at = 0; at < value.length; at++) if (allowed[value.charCodeAt(at)] === 0) return true;
        return false;
      },
      capture: captureWhole,
    };
  },
};

/** Matches a value with a `%` that is not followed by two hexadecimal digits. */
const validateUrlEncoding: OperatorDefinition = {
  name: 'validateurlencoding',
  prepare: () => ({ test: (value) => /%(?![0-9A-Fa-f]{2})/.test(value), capture: captureWhole }),
};

/** Matches a value that is not UTF-8, including overlong forms and surrogates. */
const validateUtf8Encoding: OperatorDefinition = {
  name: 'validateutf8encoding',
  prepare: () => ({ test: (value) => !isUtf8(Buffer.from(value, 'latin1')), capture: captureWhole }),
};

export const validations: readonly OperatorDefinition[] = [
  noMatch,
  unconditionalMatch,
  validateByteRange,
  validateUrlEncoding,
  validateUtf8Encoding,
];
