/** Malformed requests are refused, and no part of them reaches a rule or the origin; nothing is dropped silently. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import {
  data,
  frame,
  frameFlag,
  frameType,
  headers,
  literalBlock,
} from '../../../src/traffic/http2/testing.ts';
import { FrameClient, http2UnderTest } from './http2-under-test.ts';
import { type Probe, probes } from './probe-cases.ts';

/** In frames of the maximum size. */
function createFrames({ fields, body, trailers, isOpen }: Probe): Buffer[] {
  const block = literalBlock(fields);
  const parts = Array.from({ length: Math.ceil(block.length / 16_384) }, (_, index) =>
    block.subarray(index * 16_384, (index + 1) * 16_384),
  );
  const frames = parts.map((part, index) => {
    const end = body === undefined && index === 0 ? frameFlag.endStream : 0;
    const last = index === parts.length - 1 ? frameFlag.endHeaders : 0;
    return frame(index === 0 ? frameType.headers : frameType.continuation, end | last, 1, part);
  });
  if (body !== undefined) frames.push(data(1, body, { isEnd: trailers === undefined }));
  if (trailers !== undefined) frames.push(headers(1, trailers, { isEnd: isOpen !== true }));
  return frames;
}

test(`serveProxy refuses or forwards ${probes.length} unusual requests, each as a whole`, async () => {
  await using under = await http2UnderTest();
  for (const probe of probes) {
    under.origin.reset();
    under.judged.length = 0;
    under.refused.length = 0;
    using client = await FrameClient.connect(under.port);
    client.send(...createFrames(probe));
    equal(await client.outcome(1), probe.expected, probe.name);
    const isForwarded = probe.expected === '200';
    if (isForwarded) equal(under.origin.requests.length, 1, probe.name);
    else equal(under.origin.requests.length, 0, probe.name);
    // One that is malformed in its body or trailers is judged, unless that arrives in the same turn as its head.
    if (probe.expected.startsWith('reset')) ok(under.judged.length <= 1, probe.name);
    else equal(under.judged.length, isForwarded ? 1 : 0, probe.name);
    equal(under.refused.length, probe.expected.startsWith('4') ? 1 : 0, probe.name);
    if (probe.expected === '400')
      equal((await client.frame(({ name }) => name === 'resetStream')).code, 'protocol', probe.name);
  }
  deepEqual(under.errors, []);
});

test('serveProxy says in the answer why a request is refused', async () => {
  await using under = await http2UnderTest();
  using client = await FrameClient.connect(under.port);
  client.send(headers(1, [...probes[0]!.fields]));
  const { payload } = await client.frame(({ name }) => name === 'data');
  match(payload.toString(), /"code":"bad_header"/);
});
