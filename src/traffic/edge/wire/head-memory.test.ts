import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { type ResponseOptions, writeRequestHead, writeResponseHead } from './forwarded-head.ts';
import { HeadMemory } from './head-memory.ts';
import { defaultLimits } from './limits.ts';
import { Refusal } from './refusal.ts';
import { parseRequestHead } from './request/parse-request-head.ts';
import type { RequestHead } from './request/request-head.ts';
import { ResponseHeadReader } from './response-head.ts';

/** Pseudo-random numbers, the same in every run. */
function createRandom(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

const requestLines = [
  'GET /a HTTP/1.1',
  'GET /b?c=d HTTP/1.1',
  'HEAD /a HTTP/1.1',
  'POST /a HTTP/1.1',
  'GET /a HTTP/1.0',
  'GET http://shop.example/x HTTP/1.1',
  'GET http://other.example/x HTTP/1.1',
  'GET /a b HTTP/1.1',
  'GET /a#b HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'TRACE /a HTTP/1.1',
  'get /a HTTP/1.1',
  'GET  /a HTTP/1.1',
  'GET /a HTTP/1.2',
];

/** Candidates for each position of a head; the first is the most frequent. */
const requestFields = [
  ['Host: shop.example', 'Host:shop.example', 'host: shop.example ', 'Host: a b', 'Host: [::1]:80'],
  ['User-Agent: curl/8.5', 'user-agent: curl/8.5', 'User-Agent:\tcurl/8.5', 'User-Agent: curl/8.55'],
  ['Accept: */*', 'Accept: text/html', 'Accept: a\rb', 'Accept: a\nb', 'Accept : a', 'Accept:', 'Accept'],
  ['Connection: keep-alive', 'Connection: close', 'Connection: x-own', 'Connection: host', 'DNT: 1'],
  ['X-Own: 1', 'X-Own: 2', 'X-Real-IP: 1.2.3.4', 'X-Forwarded-Host: a', 'X_Forwarded_For: 1', ' folded'],
  ['Cookie: a=1', 'Cookie: a=2', 'Content-Length: 3', 'Content-Length: 3x', 'Transfer-Encoding: chunked'],
  ['X-Last: yes', 'X-Last: yes\x7f', 'CF-Ray: 1', 'CDN-Loop: me', 'X-Forwarded-For: 9.9.9.9'],
];

const answerLines = [
  'HTTP/1.1 200 OK',
  'HTTP/1.1 304 Not Modified',
  'HTTP/1.0 200 OK',
  'HTTP/1.1 20 OK',
  'HTTP/1.1 200',
];

const answerFields = [
  ['content-type: text/html', 'Content-Type:text/html', 'content-type: text/plain'],
  [
    'content-length: 12',
    'content-length: 13',
    'Transfer-Encoding: chunked',
    'content-length: 1 2',
    'Host: a',
  ],
  ['Date: Mon', 'Date: Tue', 'Date: Wed ', 'X-Forwarded-Host: a', 'Age: 1\r\nAge: 2'],
  [
    'Connection: keep-alive',
    'Connection: close',
    'Connection: keep-alive, age',
    'cf-ray: 1',
    'cf-ipcountry: NZ',
  ],
  ['Keep-Alive: timeout=5', 'Keep-Alive: timeout=6', 'X_Forwarded_For: 1', 'Set-Cookie: a=\x01', 'x-id: 1'],
];

function draw(
  random: (count: number) => number,
  lines: readonly string[],
  fields: readonly string[][],
): string {
  const pick = (list: readonly string[]): string => (random(8) < 7 ? list[0]! : list[random(list.length)]!);
  const chosen = fields.map(pick);
  // Occasionally a field is missing or doubled.
  if (random(20) === 0) chosen.splice(random(chosen.length), 1);
  if (random(20) === 0) chosen.splice(random(chosen.length), 0, chosen[random(chosen.length)]!);
  return [pick(lines), ...chosen].join('\r\n');
}

const forwarding = {
  target: '/t',
  claims: new Set(['x-real-ip']),
  host: undefined,
  clientAddress: '192.0.2.1',
  shownAddress: undefined,
  peerAddress: '192.0.2.1',
  isPeerTrusted: true,
  isSecure: false,
  requestId: 'id',
  loopToken: 'token',
  additions: undefined,
  isUpgrade: false,
  isLast: false,
} as const;

test('HeadMemory: requests of one connection are read and written as if each was the first', () => {
  let kept = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const memory = new HeadMemory<RequestHead>();
    for (let count = 0; count < 60; count++) {
      const text = draw(random, requestLines, requestFields);
      const first = parseRequestHead(text, defaultLimits);
      const read = parseRequestHead(text, defaultLimits, memory);
      deepEqual(read, first, JSON.stringify(text));
      if (read instanceof Refusal) continue;
      if (read.kept !== undefined) kept++;
      equal(writeRequestHead(read, forwarding), writeRequestHead({ ...read, kept: undefined }, forwarding));
    }
  }
  ok(kept > 500, `${kept} heads were copied`);
});

test('HeadMemory: answers of one connection are read and written as if each was the first', () => {
  let kept = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const reader = new ResponseHeadReader(defaultLimits);
    for (let count = 0; count < 60; count++) {
      const text = draw(random, answerLines, answerFields);
      const method = random(8) === 0 ? 'HEAD' : 'GET';
      const read = reader.read(text, method);
      deepEqual(read, new ResponseHeadReader(defaultLimits).read(text, method), JSON.stringify(text));
      if (read === undefined) continue;
      if (read.kept !== undefined) kept++;
      for (const requestIdHeader of ['cf-ray', 'x-id']) {
        const answering: ResponseOptions = {
          requestId: 'id',
          requestIdHeader,
          framing: read.framing,
          fields: undefined,
          isLast: false,
        };
        equal(writeResponseHead(read, answering), writeResponseHead({ ...read, kept: undefined }, answering));
      }
    }
  }
  ok(kept > 500, `${kept} heads were copied`);
});

test('HeadMemory keeps nothing of a first head, of long lines, and of lines that are always others', () => {
  const memory = new HeadMemory<RequestHead>();
  const read = (text: string): RequestHead => {
    const head = parseRequestHead(text, defaultLimits, memory);
    ok(!(head instanceof Refusal));
    return head;
  };
  const headOf = (count: number): string =>
    `GET / HTTP/1.1\r\nHost: shop.example\r\nX-Count: ${count}\r\nX-Long: ${'x'.repeat(300)}`;
  const heads = Array.from({ length: 20 }, (_, count) => read(headOf(count)));
  const isSame = (place: number, index: number): boolean =>
    heads[index]!.headers[place] === heads[index - 1]!.headers[place];
  deepEqual([isSame(0, 1), isSame(0, 2), isSame(0, 19)], [false, true, true]);
  // Remembered three times, and different each time; from then on it is not compared.
  const [one, two] = ['1', '2'].map((value) => read(`${headOf(5)}\r\nX-Other: ${value}`).headers[1]);
  ok(one !== two);
  ok(!isSame(2, 19));
});
