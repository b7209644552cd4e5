import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Http2Limit } from './limits.ts';
import {
  data,
  frame,
  getFields,
  Harness,
  headers,
  literalBlock,
  ping,
  reset,
  settings,
  uint32,
  windowUpdate,
} from './testing.ts';

/** Each attack, the limit that stops it, and the maximum number of frames until then. */
const attacks: Record<string, { limit: Http2Limit; framesMax: number; create: (index: number) => Buffer }> = {
  'Rapid Reset': {
    limit: 'resets',
    framesMax: 201,
    create: (index) => Buffer.concat([headers(index * 2 + 1), reset(index * 2 + 1)]),
  },
  'Made You Reset by a window of 0': {
    limit: 'forced_resets',
    framesMax: 201,
    create: (index) => Buffer.concat([headers(index * 2 + 1), windowUpdate(index * 2 + 1, 0)]),
  },
  'Made You Reset by DATA after the end': {
    limit: 'forced_resets',
    framesMax: 201,
    create: (index) => Buffer.concat([headers(index * 2 + 1), data(index * 2 + 1, 'x')]),
  },
  'streams that are never ended': {
    limit: 'forced_resets',
    framesMax: 301,
    create: (index) => headers(index * 2 + 1, getFields, { isEnd: false }),
  },
  PING: { limit: 'ping', framesMax: 2_001, create: () => ping },
  SETTINGS: { limit: 'settings', framesMax: 2_001, create: () => settings([4, 100]) },
  PRIORITY: {
    limit: 'priority',
    framesMax: 2_001,
    create: () => frame(2, 0, 1, uint32(3, 0).subarray(0, 5)),
  },
  WINDOW_UPDATE: { limit: 'window_update', framesMax: 2_001, create: () => windowUpdate(0, 1) },
  'unknown frames': { limit: 'unknown_frames', framesMax: 2_001, create: () => frame(0xbe, 0, 0) },
  'empty DATA': {
    limit: 'empty_data',
    framesMax: 2_002,
    create: (index) => (index === 0 ? headers(1, getFields, { isEnd: false }) : data(1, '')),
  },
  CONTINUATION: {
    limit: 'continuation',
    framesMax: 9,
    create: (index) =>
      index === 0 ? frame(1, 0, 1, literalBlock(getFields)) : frame(9, 0, 1, Buffer.of(0x82)),
  },
  'a block that is long': {
    limit: 'continuation',
    framesMax: 5,
    create: (index) => frame(index === 0 ? 1 : 9, 0, 1, Buffer.alloc(16_384, 0x82)),
  },
  'refused streams one after the other': {
    limit: 'forced_resets',
    framesMax: 301,
    create: (index) => headers(index * 2 + 1),
  },
};

for (const [name, { limit, framesMax, create }] of Object.entries(attacks)) {
  test(`Connection stops a flood: ${name}`, () => {
    const harness = new Harness();
    const frames = harness.flood(create);
    ok(frames <= framesMax, `${frames} frames`);
    equal(harness.limits.at(-1), limit);
    equal(harness.log.frames.at(-1)!.code, 'enhanceYourCalm');
    equal(harness.isDone, true);
  });
}

test('Http2Session allows control frames and resets at the rate of an honest client for as long as it likes', () => {
  const harness = new Harness({ answers: true });
  for (let index = 0; index < 5_000; index++) {
    harness.nowMs += 100;
    harness.send(
      headers(index * 2 + 1, getFields, { isEnd: false }),
      reset(index * 2 + 1),
      ping,
      ping,
      settings(),
    );
    harness.read();
  }
  equal(harness.connection.isOver, false);
});

test('Http2Session lets a client that downloads much send as many window updates as that needs', () => {
  const harness = new Harness();
  harness.send(headers(1));
  const { stream } = harness.seen[0]!;
  stream.sendHead([[':status', '200']]);
  for (let round = 0; round < 5_000; round++) {
    stream.sendData(Buffer.alloc(4_096));
    harness.read();
    harness.send(windowUpdate(0, 4_096), windowUpdate(1, 4_096));
  }
  equal(harness.connection.isOver, false);
});

test('Http2Session ends with a client that does not read the answers to its control frames', () => {
  const harness = new Harness({ limits: { controlFramesBurst: 1e9 } });
  let frames = 0;
  for (; !harness.connection.isOver && frames < 10_000; frames++) harness.send(ping);
  ok(frames * 17 <= 64 * 1024 + 34, `${frames} frames`);
  equal(harness.limits.at(-1), 'unread_answers');
  deepEqual(harness.read(), ['goaway 0 enhanceYourCalm']);
});

test('Http2Session holds few fields of a bomb, and answers the request', () => {
  const harness = new Harness({ answers: true });
  const entry = Buffer.concat([
    Buffer.of(0x40),
    Buffer.from('\x01x\x7f\xa1\x1e', 'latin1'),
    Buffer.alloc(4_000, 'a'),
  ]);
  harness.send(frame(1, 5, 1, entry));
  harness.send(frame(1, 5, 3, Buffer.alloc(16_000, 0xbe)));
  const { list } = harness.seen[1]!.request;
  equal(list.isTooLarge, true);
  ok(list.entries.length <= 16);
  deepEqual(harness.limits, ['header_list']);
  match(harness.read().join('\n'), /headers 3/);
});
