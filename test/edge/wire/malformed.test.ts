import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chunkCases, codingCases, lengthCases, pipelineCases } from './framing-cases.ts';
import { fieldCases, hostCases, lineCases } from './head-cases.ts';
import { type ProxyUnderTest, proxyUnderTest } from './proxy-under-test.ts';
import type { RawClient } from './raw-client.ts';
import type { WireCase } from './wire-case.ts';

const groups: Readonly<Record<string, readonly WireCase[]>> = {
  'request line': lineCases,
  fields: fieldCases,
  host: hostCases,
  length: lengthCases,
  coding: codingCases,
  chunks: chunkCases,
  pipeline: pipelineCases,
};

const sentinel = 'GET /sentinel HTTP/1.1\r\nHost: a.example\r\n\r\n';

let under: ProxyUnderTest;

before(async () => {
  under = await proxyUnderTest();
});
after(() => under[Symbol.asyncDispose]());

/** A response to this request proves that nothing before it is still in transit. */
async function sendSentinel(client: RawClient): Promise<void> {
  client.send(sentinel);
  equal((await client.response())?.status, 200);
}

async function run(wireCase: WireCase): Promise<void> {
  under.origin.reset();
  under.judged.length = 0;
  using client = await under.connect();
  client.send(wireCase.bytes);
  for (const status of wireCase.statuses) {
    const response = await client.response();
    equal(response?.status, status);
    match(response.headers.get('cf-ray')!, /^[0-9a-f]{16}-[A-Z]{4}$/);
  }
  const isRefused = wireCase.statuses.at(-1)! >= 400;
  if (isRefused || wireCase.title.startsWith('nothing after')) {
    await client.closed();
    using other = await under.connect();
    await sendSentinel(other);
  } else await sendSentinel(client);
  equal(client.unread, '');
  const lines = under.origin.requests.map(({ line }) => line);
  equal(lines.pop(), 'GET /sentinel HTTP/1.1');
  equal(lines.length, wireCase.reaching);
  const isAllowed = under.judged.length - 1 >= wireCase.reaching;
  equal(isAllowed, true, 'nothing reaches the origin without judgement');
}

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    for (const wireCase of cases) {
      const verb = wireCase.statuses.at(-1)! >= 400 ? 'refuses' : 'takes';
      test(`serveProxy ${verb} ${wireCase.title}`, () => run(wireCase));
      test(`serveProxy ${verb} ${wireCase.title}, byte by byte`, () => runSlowly(wireCase));
    }
  });
}

/** The same, in pieces: the boundaries of reads must not matter. */
async function runSlowly(wireCase: WireCase): Promise<void> {
  // Long ones are long for their size, not for where they are cut.
  const pieces =
    wireCase.bytes.length > 600
      ? [wireCase.bytes.slice(0, 300), wireCase.bytes.slice(300)]
      : wireCase.bytes.split('');
  using client = await under.connect();
  for (const piece of pieces) {
    client.send(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const statuses: number[] = [];
  for (const _ of wireCase.statuses) statuses.push((await client.response())?.status ?? 0);
  deepEqual(statuses, wireCase.statuses);
}

test('the suite has at least a hundred cases, most of them refused', () => {
  const all = Object.values(groups).flat();
  const refusedCount = all.filter(({ statuses }) => statuses.at(-1)! >= 400).length;
  equal(all.length >= 200 && refusedCount >= 150, true);
});
