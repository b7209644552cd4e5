/** Transformations that encode a value, or compute a figure of it. */
import { createHash } from 'node:crypto';
import { anyByte } from './byte-kinds.ts';
import type { Transformation } from './transformation.ts';

const base64Encode: Transformation = {
  name: 'base64encode',
  touches: anyByte,
  apply: (value) => Buffer.from(value, 'latin1').toString('base64'),
};

const hexEncode: Transformation = {
  name: 'hexencode',
  touches: anyByte,
  apply: (value) => Buffer.from(value, 'latin1').toString('hex'),
};

const length: Transformation = {
  name: 'length',
  touches: anyByte,
  apply: (value) => String(value.length),
};

/** The raw bytes of the digest. */
const md5: Transformation = {
  name: 'md5',
  touches: anyByte,
  apply: (value) => createHash('md5').update(value, 'latin1').digest('latin1'),
};

/** The raw bytes of the digest. */
const sha1: Transformation = {
  name: 'sha1',
  touches: anyByte,
  apply: (value) => createHash('sha1').update(value, 'latin1').digest('latin1'),
};

const urlEncode: Transformation = {
  name: 'urlencode',
  touches: anyByte,
  apply: (value) =>
    value.replaceAll(/[^A-Za-z0-9*]/g, (byte) =>
      byte === ' ' ? '+' : `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
    ),
};

export const encoding: readonly Transformation[] = [base64Encode, hexEncode, length, md5, sha1, urlEncode];
