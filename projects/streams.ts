/**
 * The questions to `small/streams.js` about streams, bodies and encodings, and the differences between Node and
 * workerd.
 */
import type { Question } from './questions.ts';

const { probes } = (await import(new URL('./small/stream-probes.js', import.meta.url).href)) as {
  readonly probes: Readonly<Record<string, unknown>>;
};

const toPath = (name: string): string => `/${encodeURIComponent(name)}`;

export const streamQuestions: readonly Question[] = Object.keys(probes).map((name) => ({
  path: toPath(name),
  body: 'hello world',
  answer: /./s,
}));

const words = 'the same class of error, in the words of Node';
const browser = 'Node has what browsers have, where workerd has nothing or refuses it';

/** The reason, and the names of the questions. */
const reasons: readonly (readonly [string, readonly string[]])[] = [
  [
    words,
    [
      'byob of a value stream',
      'byob zero view',
      'tee of a locked',
      'string chunk in body',
      'number chunk in body',
      'body used twice',
      'body locked',
      'clone used',
      'response of used body',
      'request get with body',
      'request bad method',
      'request bad url',
      'fetch bad url',
      'response bad status',
      'response 204 body',
      'redirect bad',
      'redirect bad status',
      'headers bad name',
      'headers bad value',
      'formData text type',
      'formData no boundary',
      'formData broken',
      'decoder fatal',
      'decoder bad label',
      'compression bad',
      'decompress broken',
      'decompress trailing',
      'decompress truncated',
      'atob bad',
      'btoa bad',
      'stream double reader',
      'release then read',
      'release with pending read',
      'closed after release',
      'enqueue after close',
      'close twice',
      'write after close',
      'close twice writer',
      'writable locked',
      'pipeTo locked',
      'pipeThrough no writable',
      'from iterable',
      'structuredClone stream',
      'response headers guard',
    ],
  ],
  [
    browser,
    [
      'brotli',
      'URL.createObjectURL',
      'request defaults',
      'request cache option',
      'request mode option',
      'request credentials option',
      'request referrer option',
      'request integrity option',
      'request redirect bad',
      'stream body no duplex',
    ],
  ],
  ['workerd writes such a value as UTF-8; Node refuses it, as the standard says', ['headers unicode']],
  ['workerd answers with an empty body; Node refuses it, as the standard says', ['json undefined']],
  [
    'workerd takes it and ignores the name of the file; Node refuses it, as the standard says',
    ['formData append blob only'],
  ],
  [
    'workerd calls a file without a name like its field; Node calls it blob, as the standard says',
    ['formData written'],
  ],
];

export const streamDifferences: Readonly<Record<string, string>> = Object.fromEntries(
  reasons.flatMap(([reason, names]) => names.map((name) => [toPath(name), reason])),
);
