/**
 * Bodies in every coding and charset that an application may decode: rules see the text, the origin gets the bytes as
 * sent.
 */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { findReplacement } from '#managed';
import { type Answer, ServedEdge } from './served-edge.ts';

let served: ServedEdge;
let zone: string;
const managedId = 'efb7b8c949ac4650a09736fc376e9aee';
before(async () => {
  served = await ServedEdge.open();
  await served.serve('enterprise');
  await served.serve('business');
  zone = `/zones/${served.control.zone('enterprise')}`;
  // The rule that blocks odd charsets by their names would hide what is tested here.
  const overrides = { rules: [{ id: findReplacement('100089')!, enabled: false }] };
  await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`, {
    rules: [{ action: 'execute', expression: 'true', action_parameters: { id: managedId, overrides } }],
  });
  const custom = 'any(http.request.body.form["comment"][*] contains "casino")';
  await served.do(`POST ${zone}/firewall/rules`, [{ action: 'block', filter: { expression: custom } }]);
});
after(() => served[Symbol.asyncDispose]());

interface Encoding {
  readonly name: string;
  readonly encode: (text: string) => Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the content type. */
  readonly charset?: string;
}

function encodeUtf16(text: string, order: 'le' | 'be', mark = ''): Buffer {
  const bytes = Buffer.from(mark + text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
}

function encodeUtf32(text: string, order: 'le' | 'be', mark = ''): Buffer {
  const points = Array.from(mark + text, (character) => character.codePointAt(0)!);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [index, point] of points.entries()) {
    if (order === 'le') bytes.writeUInt32LE(point, index * 4);
    else bytes.writeUInt32BE(point, index * 4);
  }
  return bytes;
}

const mark = '\ufeff';
const wide = (['le', 'be'] as const).flatMap((order): Encoding[] =>
  [
    { width: 16, encode: encodeUtf16 },
    { width: 32, encode: encodeUtf32 },
  ].flatMap(({ width, encode }) => [
    {
      name: `UTF-${width}${order} by its charset`,
      encode: (text) => encode(text, order),
      charset: `utf-${width}${order}`,
    },
    {
      name: `UTF-${width} in the order ${order} by its charset and mark`,
      encode: (text) => encode(text, order, mark),
      charset: `"UTF-${width}"`,
    },
    {
      name: `UTF-${width} in the order ${order} by its charset`,
      encode: (text) => encode(text, order),
      charset: `UTF-${width}`,
    },
    { name: `UTF-${width}${order} by its mark`, encode: (text) => encode(text, order, mark) },
    { name: `UTF-${width}${order} by its content`, encode: (text) => encode(text, order) },
    {
      name: `UTF-${width}${order} that says UTF-8`,
      encode: (text) => encode(text, order),
      charset: 'utf-8',
    },
  ]),
);

const encodings: readonly Encoding[] = [
  { name: 'gzip', encode: gzipSync, headers: { 'content-encoding': 'gzip' } },
  { name: 'x-gzip', encode: gzipSync, headers: { 'Content-Encoding': 'X-GZip' } },
  { name: 'deflate', encode: deflateSync, headers: { 'content-encoding': 'deflate' } },
  { name: 'deflate without a header', encode: deflateRawSync, headers: { 'content-encoding': 'deflate' } },
  { name: 'br', encode: brotliCompressSync, headers: { 'content-encoding': 'br' } },
  { name: 'zstd', encode: zstdCompressSync, headers: { 'content-encoding': 'zstd' } },
  {
    name: 'two codings',
    encode: (text) => brotliCompressSync(gzipSync(text)),
    headers: { 'content-encoding': 'identity, gzip,br' },
  },
  {
    name: 'three codings',
    encode: (text) => gzipSync(zstdCompressSync(deflateSync(text))),
    headers: { 'content-encoding': 'deflate, zstd,  GZIP' },
  },
  {
    name: 'several members of gzip',
    encode: (text) => Buffer.concat(Array.from(text, (character) => gzipSync(character))),
    headers: { 'content-encoding': 'gzip' },
  },
  {
    name: 'UTF-16 in gzip',
    encode: (text) => gzipSync(encodeUtf16(text, 'be', mark)),
    headers: { 'content-encoding': 'gzip' },
  },
  {
    name: 'ISO-2022-JP with needless escapes',
    encode: (text) => Buffer.from(Array.from(text).join('\x1b(B')),
    charset: 'iso-2022-jp',
  },
  {
    name: 'a form behind the mark of UTF-16 that is not in it',
    encode: (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`&${text}`)]),
  },
  {
    name: 'a form in the comment of an empty gzip, for applications that do not decompress',
    encode: (text) => {
      const empty = gzipSync('');
      empty[3] = 0x10;
      return Buffer.concat([empty.subarray(0, 10), Buffer.from(`&${text}&\0`), empty.subarray(10)]);
    },
    headers: { 'content-encoding': 'gzip' },
  },
  ...wide,
];

const form = 'application/x-www-form-urlencoded';

function post(body: Buffer, { headers, charset }: Partial<Encoding>, host?: string): Promise<Answer> {
  const type = charset === undefined ? form : `${form}; charset=${charset}`;
  const named = host === undefined ? {} : { host };
  return served.send('/comments', { ...named, headers: { 'content-type': type, ...headers }, body });
}

for (const encoding of encodings) {
  test(`rules read ${encoding.name}`, async () => {
    const custom = await post(encoding.encode('a=1&comment=my+casino'), encoding);
    equal(custom.status, 403);
    equal((await served.eventsOf(custom))[0]!.source, 'firewallrules');
    const managed = await post(encoding.encode("id=1' UNION SELECT password FROM users--"), encoding);
    equal(managed.status, 403);
    const [event] = await served.eventsOf(managed);
    deepEqual([event!.source, event!.ruleId === 'inspection-limit'], ['firewallManaged', false]);
    deepEqual(served.origin.take(), []);
    const good = encoding.encode('a=1&comment=hello');
    const passed = await post(good, encoding);
    deepEqual([passed.status, await served.eventsOf(passed)], [200, []]);
    equal(served.origin.take()[0]!.body, good.toString('latin1'));
  });
}

test('rules read a part of a multipart form in UTF-16', async () => {
  const part = (content: string): Buffer =>
    Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="q"\r\n\r\n'),
      encodeUtf16(content, 'le'),
      Buffer.from('\r\n--b--\r\n'),
    ]);
  const send = (body: Buffer): Promise<Answer> =>
    served.send('/', { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body });
  equal((await send(part("1' UNION SELECT password FROM users--"))).status, 403);
  equal((await send(part('an ordinary sentence'))).status, 200);
  served.origin.take();
});

test('rules read JSON behind the mark of UTF-8', async () => {
  const rule = 'lookup_json_string(http.request.body.raw, "to") eq "casino"';
  const { result } = await served.do(`POST ${zone}/firewall/rules`, [
    { action: 'block', filter: { expression: rule } },
  ]);
  const headers = { 'content-type': 'application/json' };
  const answer = await served.send('/', { headers, body: Buffer.from('\ufeff{"to":"casino"}') });
  equal(answer.status, 403);
  await served.do(`DELETE ${zone}/firewall/rules/${result[0].id}`);
});

const text = 'a=1&comment=hello';
const unreadable: readonly (Encoding & { readonly reason: RegExp })[] = [
  {
    name: 'an unknown coding',
    encode: Buffer.from,
    headers: { 'content-encoding': 'compress' },
    reason: /unknown content coding "compress"/,
  },
  {
    name: 'text that says it is gzip',
    encode: Buffer.from,
    headers: { 'content-encoding': 'gzip' },
    reason: /not what its content coding gzip says/,
  },
  {
    name: 'gzip that is cut off',
    encode: (given) => gzipSync(given).subarray(0, -3),
    headers: { 'content-encoding': 'gzip' },
    reason: /not what its content coding gzip says/,
  },
  {
    name: 'data behind the end of brotli',
    encode: (given) => Buffer.concat([brotliCompressSync(given), brotliCompressSync(given)]),
    headers: { 'content-encoding': 'br' },
    reason: /not what its content coding br says/,
  },
  {
    name: 'a window of 128 MiB',
    encode: () => Buffer.from('28b52ffd00884d00001061610100e32b8005', 'hex'),
    headers: { 'content-encoding': 'zstd' },
    reason: /not what its content coding zstd says/,
  },
  {
    name: 'more codings than anybody uses',
    encode: (given) => gzipSync(gzipSync(gzipSync(gzipSync(given)))),
    headers: { 'content-encoding': 'gzip, gzip, gzip, gzip' },
    reason: /more than 3 content codings/,
  },
  {
    name: 'a bomb',
    encode: () => gzipSync(Buffer.alloc(20_000_000)),
    headers: { 'content-encoding': 'gzip' },
    reason: /once it is decompressed/,
  },
  {
    name: 'a bomb in a bomb',
    encode: () => brotliCompressSync(gzipSync(Buffer.alloc(100_000_000))),
    headers: { 'content-encoding': 'gzip, br' },
    reason: /once it is decompressed/,
  },
  {
    name: 'a hundred bytes that become 100 KB',
    encode: () => brotliCompressSync(Buffer.alloc(100_000, 'a')),
    headers: { 'content-encoding': 'br' },
    reason: /once it is decompressed/,
  },
  {
    name: 'a body over the limit',
    encode: (given) => Buffer.from(given + 'x'.repeat(200_000)),
    reason:
      /^The body is longer than what rules can look at, which is 128 KiB at most: they read the first 131072 of its 2\d{5} bytes$/,
  },
  {
    name: 'gzip over the limit',
    encode: (given) => gzipSync(given + 'x'.repeat(200_000), { level: constants.Z_NO_COMPRESSION }),
    headers: { 'content-encoding': 'gzip' },
    reason: /longer than what rules can look at/,
  },
  { name: 'UTF-7', encode: Buffer.from, charset: 'utf-7', reason: /charset "utf-7"/ },
  { name: 'EBCDIC', encode: Buffer.from, charset: 'ibm037', reason: /charset "ibm037"/ },
  {
    name: 'XML that declares another charset',
    encode: () => Buffer.from('<?xml version="1.0" encoding="x-Mine"?><a>+ADw-</a>'),
    reason: /charset "x-mine"/,
  },
  {
    name: 'XML in EBCDIC',
    encode: () => Buffer.from('4c6fa79493', 'hex'),
    reason: /charset "EBCDIC"/,
  },
];

for (const encoding of unreadable) {
  test(`${encoding.name} is blocked by default where managed rules look at bodies, and always an event`, async () => {
    const body = encoding.encode(text);
    const send = async (host?: string): Promise<readonly unknown[]> => {
      const answer = await post(body, encoding, host);
      const [plan] = (host ?? 'enterprise').split('.');
      const events = await served.eventsOf(answer, plan as 'enterprise');
      for (const { description } of events) match(description, encoding.reason);
      const received = served.origin.take().map((request) => request.body === body.toString('latin1'));
      return [answer.status, events.map(({ action, ruleId }) => `${action} ${ruleId}`), received];
    };
    deepEqual(await send(), [403, ['block inspection-limit'], []]);
    deepEqual(await send(served.host('business')), [200, ['log inspection-limit'], [true]]);
    await served.serve('enterprise', { over_inspection_limit: 'log' });
    deepEqual(await send(), [200, ['log inspection-limit'], [true]]);
    await served.serve('enterprise', { over_inspection_limit: 'default' });
  });
}

test('a body that a skip rule keeps from the managed rules is not blocked by default', async () => {
  const { result } = await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [
      {
        action: 'skip',
        expression: 'http.request.uri.path eq "/upload"',
        action_parameters: { phases: ['http_request_firewall_managed'] },
        logging: { enabled: false },
      },
    ],
  });
  const upload = (path: string): Promise<Answer> => served.send(path, { body: Buffer.alloc(200_000, 'x') });
  const answer = await upload('/upload');
  equal(answer.status, 200);
  deepEqual(
    (await served.eventsOf(answer)).map(({ action, ruleId }) => [action, ruleId]),
    [['log', 'inspection-limit']],
  );
  equal((await upload('/other')).status, 403);
  await served.control.call(`DELETE ${zone}/rulesets/${result.id}`);
  await served.inForce();
  served.origin.take();
});

test('the legacy managed rules guard bodies as well, while they are on', async () => {
  const business = `/zones/${served.control.zone('business')}`;
  const send = async (): Promise<number> =>
    (await post(Buffer.from(text), { charset: 'x-mine' }, served.host('business'))).status;
  equal(await send(), 200);
  await served.do(`PATCH ${business}/settings/waf`, { value: 'on' });
  equal(await send(), 403);
  await served.do(`PATCH ${business}/settings/waf`, { value: 'off' });
  served.origin.take();
});
