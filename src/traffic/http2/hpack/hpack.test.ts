import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HeaderDecoder, type HeaderListLimits } from './header-decoder.ts';
import { HeaderEncoder } from './header-encoder.ts';
import { decodeHuffman, measureHuffman, writeHuffman } from './huffman.ts';

const limits: HeaderListLimits = { listBytesMax: 64 * 1024, fieldCountMax: 128 };

function fromHex(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}

/** The fields of each block as lines; undefined for one that is invalid. */
function decodeAll(blocks: readonly string[], tableBytesMax = 4_096): (string[] | undefined)[] {
  const decoder = new HeaderDecoder(limits, tableBytesMax);
  return blocks.map((hex) => decoder.decode(fromHex(hex))?.entries.map(({ field }) => field.join(': ')));
}

const requests = [
  [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'],
  [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com', 'cache-control: no-cache'],
  [
    ':method: GET',
    ':scheme: https',
    ':path: /index.html',
    ':authority: www.example.com',
    'custom-key: custom-value',
  ],
];

const rest = ['date: Mon, 21 Oct 2013 20:13:21 GMT', 'location: https://www.example.com'];
const responses = [
  [':status: 302', 'cache-control: private', ...rest],
  [':status: 307', 'cache-control: private', ...rest],
  [
    ':status: 200',
    'cache-control: private',
    'date: Mon, 21 Oct 2013 20:13:22 GMT',
    'location: https://www.example.com',
    'content-encoding: gzip',
    'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
  ],
];

test('HeaderDecoder decodes the examples of RFC 7541', () => {
  deepEqual(
    decodeAll([
      '828684410f7777772e6578616d706c652e636f6d',
      '828684be58086e6f2d6361636865',
      '828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565',
    ]),
    requests,
    'C.3',
  );
  deepEqual(
    decodeAll([
      '828684418cf1e3c2e5f23a6ba0ab90f4ff',
      '828684be5886a8eb10649cbf',
      '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
    ]),
    requests,
    'C.4',
  );
  deepEqual(
    decodeAll(
      [
        '4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d',
        '4803333037c1c0bf',
        '88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31',
      ],
      256,
    ),
    responses,
    'C.5: the table is full, and forgets',
  );
  deepEqual(
    decodeAll(
      [
        '488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3',
        '4883640effc1c0bf',
        '88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
      ],
      256,
    ),
    responses,
    'C.6',
  );
  deepEqual(decodeAll(['100870617373776f726406736563726574']), [['password: secret']], 'C.2.3');
});

test('HeaderDecoder refuses blocks that contradict the format', () => {
  const invalid = {
    'index 0': '80',
    'an index beyond the table': 'be',
    'an index that does not end': 'ffffffffffff',
    'a number that is cut off': 'ff80',
    'a literal without its value': '4001',
    'a value longer than the block': '00016105',
    'a table larger than allowed': '3fe21f',
    'three changes of the table': '202020',
    'a change of the table after a field': '8220',
    'padding of a whole byte': '000161821fff',
    'padding with zeros': '0001618118',
    'the code of the end of a string': '00016184ffffffff',
  };
  for (const [what, hex] of Object.entries(invalid)) deepEqual(decodeAll([hex]), [undefined], what);
});

test('HeaderDecoder counts fields and bytes of references, and keeps nothing beyond the limits', () => {
  const decoder = new HeaderDecoder({ listBytesMax: 16 * 1024, fieldCountMax: 100 }, 4_096);
  const value = 'a'.repeat(3_000);
  const literal = Buffer.concat([fromHex('4001787f'), writeLength(3_000), Buffer.from(value)]);
  equal(decoder.decode(literal)!.isTooLarge, false);
  const bomb = decoder.decode(Buffer.alloc(60_000, 0xbe))!;
  deepEqual([bomb.isTooLarge, bomb.entries.length], [true, 5], 'as many as fit');
  ok(bomb.bytes > 180_000_000, 'the rest was counted, not kept');
  const crumbs = decoder.decode(Buffer.alloc(60_000, 0x82))!;
  deepEqual([crumbs.isTooLarge, crumbs.entries.length], [true, 100]);
  equal(decoder.decode(fromHex('be'))!.entries[0]!.field[1], value, 'the table is as the client knows it');
});

function writeLength(length: number): Buffer {
  const beyond = length - 127;
  return Buffer.from([(beyond & 0x7f) | 0x80, beyond >> 7]);
}

test('HeaderDecoder says which fields are malformed', () => {
  const decoder = new HeaderDecoder(limits, 4_096);
  const isValid = (name: string, value: string): boolean => {
    const block = Buffer.concat(
      [Buffer.of(0), Buffer.of(name.length), Buffer.from(name, 'latin1'), Buffer.of(value.length)].concat(
        Buffer.from(value, 'latin1'),
      ),
    );
    return decoder.decode(block)!.entries[0]!.isValid;
  };
  for (const name of ['x', ':path', 'x_y', "!#$%&'*+-.^_`|~09az"]) ok(isValid(name, 'v'), name);
  for (const name of ['', ':', 'X', 'a b', 'a:b', 'a\r\nb', '::a', '\xe4', 'a\0'])
    ok(!isValid(name, 'v'), name);
  for (const value of ['', 'a b', 'a\tb', '\xff', '"']) ok(isValid('x', value), value);
  for (const value of ['\r', 'a\nb', '\0', '\x01', '\x7f', ' a', 'a\t', 'a\r\nx: y', ' '])
    ok(!isValid('x', value));
});

test('writeHuffman and decodeHuffman are inverse', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes).toString('latin1');
      const target = Buffer.alloc(measureHuffman(text) + 1, 0xaa);
      const end = writeHuffman(text, target, 0);
      equal(end, target.length - 1);
      equal(target[end], 0xaa);
      equal(decodeHuffman(target, 0, end), text);
    }),
  );
});

test('HeaderDecoder reads what HeaderEncoder writes, whatever size the table has', () => {
  const name = fc.constantFrom(
    'server',
    'content-type',
    'set-cookie',
    'x-a',
    'x-b',
    ':status',
    'date',
    'vary',
  );
  const value = fc.oneof(
    fc.constantFrom('200', 'nginx', 'text/html; charset=utf-8', ''),
    fc.string({ unit: 'binary-ascii', maxLength: 20 }),
    fc.integer({ min: 100, max: 2_000 }).map((length) => 'v'.repeat(length)),
  );
  const block = fc.array(fc.tuple(name, value), { maxLength: 12 });
  const step = fc.oneof(
    { weight: 5, arbitrary: block },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 9_000 }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const encoder = new HeaderEncoder();
      const decoder = new HeaderDecoder({ listBytesMax: 1e9, fieldCountMax: 1e9 }, 9_000);
      for (const given of steps) {
        if (typeof given === 'number') {
          encoder.resize(given);
          continue;
        }
        const target = Buffer.alloc(HeaderEncoder.measure(given));
        const encoded = target.subarray(0, encoder.encode(given, target, 0));
        deepEqual(
          decoder.decode(encoded)!.entries.map(({ field }) => field),
          given,
        );
      }
    }),
  );
});

test('HeaderDecoder takes any bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 10 }), (blocks) => {
      const decoder = new HeaderDecoder(limits, 4_096);
      for (const block of blocks) if (decoder.decode(Buffer.from(block)) === undefined) return;
    }),
  );
});

test('HeaderEncoder sends a field that it has sent as one byte, and a secret always as it is', () => {
  const encoder = new HeaderEncoder();
  const encode = (...fields: [string, string][]): Buffer => {
    const target = Buffer.alloc(HeaderEncoder.measure(fields));
    return target.subarray(0, encoder.encode(fields, target, 0));
  };
  equal(encode([':status', '200']).toString('hex'), '88');
  ok(encode(['server', 'nginx'], ['x-frame-options', 'DENY']).length > 10);
  equal(encode(['x-frame-options', 'DENY'], ['server', 'nginx']).toString('hex'), 'bebf');
  for (const _ of [1, 2]) equal(encode(['set-cookie', 'a=b']).toString('hex'), '1f2803613d62');
});
