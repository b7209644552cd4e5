import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Http2Session } from './http2-session.ts';
import {
  clientPreface,
  data,
  errorCode,
  frame,
  frameFlag,
  FrameLog,
  frameType,
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

test('Http2Session answers a request', () => {
  const harness = new Harness();
  harness.send(headers(1));
  const { stream, request } = harness.seen[0]!;
  deepEqual(
    request.list.entries.map(({ field }) => field),
    getFields,
  );
  equal(request.isEnd, true);
  stream.sendHead([
    [':status', '200'],
    ['server', 'x'],
  ]);
  stream.sendData(Buffer.from('hello '));
  stream.sendData(Buffer.from('world'));
  stream.end();
  deepEqual(harness.read(), ['headers 1 :status: 200; server: x', 'data 1 hello ', 'data 1 world END']);
  equal(harness.connection.openStreams, 0);
});

test('Http2Session sends interim responses, trailers and responses without a body', () => {
  const harness = new Harness();
  harness.send(headers(1), headers(3));
  const [first, second] = harness.seen.map(({ stream }) => stream);
  first!.sendHead([[':status', '103']]);
  first!.sendHead([[':status', '200']]);
  first!.sendData(Buffer.from('x'));
  first!.end({ trailers: [['grpc-status', '0']] });
  second!.sendHead([[':status', '204']]);
  second!.end();
  deepEqual(harness.read(), [
    'headers 1 :status: 103',
    'headers 1 :status: 200',
    'data 1 x',
    'headers 3 :status: 204 END',
    'headers 1 grpc-status: 0 END',
  ]);
});

test('Http2Session passes on bodies, padding left out, and trailers', () => {
  const harness = new Harness();
  const padded = frame(frameType.data, frameFlag.padded, 1, Buffer.from('\x02abXX'));
  harness.send(headers(1, getFields, { isEnd: false }), data(1, 'one'), padded, headers(1, [['x-a', 'b']]));
  deepEqual(harness.seen[0]!.events, ['data one', 'data ab', 'end x-a: b']);
});

test('Http2Session reads the same whatever the bytes are cut into', () => {
  const sent = Buffer.concat([
    clientPreface,
    settings([4, 100]),
    headers(1, getFields, { isEnd: false }),
    data(1, 'body', { isEnd: true }),
    ping,
    headers(3),
  ]);
  const run = (sizes: readonly number[]): unknown => {
    const log = new FrameLog();
    const events: string[] = [];
    const connection = new Http2Session({
      now: () => 0,
      handler: {
        onRequest: (stream) => {
          events.push(`request ${stream.id}`);
          return {
            onData: (bytes) => void events.push(bytes.toString()),
            onEnd: () => void events.push('end'),
            onReset: () => {},
            onDrain: () => {},
            onSent: () => {},
          };
        },
        onOutput: () => {},
        onLimit: () => {},
        onDone: () => {},
      },
    });
    for (let at = 0, turn = 0; at < sent.length; turn++) {
      const size = sizes[turn % sizes.length]!;
      connection.receive(sent.subarray(at, at + size));
      at += size;
    }
    for (const piece of connection.produce() ?? []) log.push(piece);
    return [events, log.describe()];
  };
  const expected = run([sent.length]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }), (sizes) =>
      deepEqual(run(sizes), expected),
    ),
  );
});

test('Http2Session keeps to the windows of the stream and of the connection, and takes turns', () => {
  const harness = new Harness({ limits: { queuedBytesMax: 10 } });
  harness.send(settings([4, 5]), headers(1), headers(3));
  harness.read();
  for (const { stream } of harness.seen) {
    stream.sendHead([[':status', '200']]);
    equal(stream.sendData(Buffer.from('abcdefghijkl')), false, 'more waits than the queue is to hold');
    stream.end();
  }
  deepEqual(harness.read(), [
    'headers 1 :status: 200',
    'data 1 abcde',
    'headers 3 :status: 200',
    'data 3 abcde',
  ]);
  deepEqual(harness.send(windowUpdate(1, 1)).read(), ['data 1 f']);
  deepEqual(harness.send(windowUpdate(3, 100)).read(), ['data 3 fghijkl END']);
  // The window of all streams changes with the setting, and may become negative.
  deepEqual(harness.send(settings([4, 0])).read(), ['settings 0']);
  deepEqual(harness.send(windowUpdate(1, 5)).read(), []);
  deepEqual(harness.send(windowUpdate(1, 50)).read(), ['data 1 ghijkl END']);
  equal(harness.connection.openStreams, 0);
});

test('Http2Session stops at the window of the connection, and goes on with all that waited', () => {
  const harness = new Harness();
  harness.send(settings([4, 1_000_000]), headers(1), headers(3));
  for (const { stream } of harness.seen) {
    stream.sendHead([[':status', '200']]);
    stream.sendData(Buffer.alloc(40_000, 'x'));
    stream.end();
  }
  harness.read();
  const sent = (): number =>
    harness.log.frames
      .filter(({ name }) => name === 'data')
      .reduce((sum, { payload }) => sum + payload.length, 0);
  equal(sent(), 65_535);
  harness.send(windowUpdate(0, 10_000)).read();
  equal(sent(), 75_535);
  harness.send(windowUpdate(0, 10_000)).read();
  equal(sent(), 80_000);
  equal(harness.connection.openStreams, 0);
});

test('Http2Session tells the source when everything that waited was sent', () => {
  const harness = new Harness();
  harness.send(headers(1));
  const { stream, events } = harness.seen[0]!;
  stream.sendHead([[':status', '200']]);
  equal(stream.sendData(Buffer.alloc(60_000)), true);
  equal(stream.sendData(Buffer.alloc(60_000)), false);
  harness.read();
  deepEqual(events, []);
  harness.send(windowUpdate(0, 100_000), windowUpdate(1, 100_000)).read();
  deepEqual(events, ['drain']);
});

test('Http2Session lets a client send no more than its windows, and opens them as bodies are consumed', () => {
  const harness = new Harness({ limits: { streamWindowBytes: 1_000, connectionWindowBytes: 70_000 } });
  harness.send(headers(1, getFields, { isEnd: false }), data(1, Buffer.alloc(1_000)));
  deepEqual(harness.read(), []);
  harness.seen[0]!.stream.consume(600);
  deepEqual(harness.read(), ['windowUpdate 1']);
  harness.send(data(1, Buffer.alloc(600)));
  harness.send(data(1, Buffer.alloc(1)));
  deepEqual(harness.read(), ['resetStream 1 flowControl']);
  equal(harness.seen[0]!.events.at(-1), 'reset');
});

test('Http2Session gives the window of the connection back when a stream ends with what it held', () => {
  const harness = new Harness({ limits: { connectionWindowBytes: 70_000, streamWindowBytes: 40_000 } });
  for (const id of [1, 3, 5, 7, 9]) {
    harness.send(
      headers(id, getFields, { isEnd: false }),
      data(id, Buffer.alloc(16_384)),
      data(id, Buffer.alloc(16_384)),
      reset(id),
    );
  }
  equal(harness.connection.isOver, false);
  ok(harness.read().includes('windowUpdate 0'));
});

test('Http2Session ends a response before its request with a reset that says that nothing is wrong', () => {
  const harness = new Harness({ answers: true });
  harness.send(headers(1, getFields, { isEnd: false }));
  deepEqual(harness.read(), ['headers 1 :status: 200', 'data 1 ok END', 'resetStream 1 none']);
  // Frames that were in transit are not an error.
  harness.send(data(1, 'late'), headers(1, [['x', 'y']]), windowUpdate(1, 5), reset(1));
  equal(harness.connection.isOver, false);
});

test('Http2Session leaves gracefully: streams on their way are served, later ones are not', () => {
  const harness = new Harness();
  harness.send(headers(1));
  harness.connection.shutdown();
  deepEqual(harness.read(), ['goaway 0 none', 'ping 0']);
  equal(harness.log.frames.at(-2)!.payload.readUInt32BE(0), 0x7fff_ffff);
  const answer = frame(frameType.ping, frameFlag.ack, 0, harness.log.frames.at(-1)!.payload);
  harness.send(headers(3), answer, headers(5));
  deepEqual(harness.read(), ['goaway 0 none']);
  equal(harness.log.frames.at(-1)!.payload.readUInt32BE(0), 3);
  equal(harness.seen.length, 2);
  for (const { stream } of harness.seen) {
    equal(harness.isDone, false);
    stream.sendHead([[':status', '200']]);
    stream.end();
    harness.read();
  }
  equal(harness.isDone, true);
});

test('Http2Session asks for another one after so many requests', () => {
  const harness = new Harness({ limits: { requestsPerConnectionMax: 3 }, answers: true });
  harness.send(headers(1), headers(3));
  ok(!harness.read().some((line) => line.startsWith('goaway')));
  harness.send(headers(5));
  ok(harness.read().includes('goaway 0 none'));
});

test('Http2Session is done when the client leaves and nothing is in progress', () => {
  const harness = new Harness();
  harness.send(headers(1), frame(frameType.goaway, 0, 0, uint32(0, 0)));
  equal(harness.isDone, false);
  harness.seen[0]!.stream.reset(errorCode.internal);
  equal(harness.isDone, true);
});

test('Http2Session refuses what breaks the protocol, with the code of RFC 9113', () => {
  const open = headers(1, getFields, { isEnd: false });
  const cases: Record<string, readonly [string, ...Buffer[]]> = {
    'a first frame that is not SETTINGS': ['protocol', ping],
    'DATA of the connection': ['protocol', settings(), data(0, 'x')],
    'DATA of a stream that is not open': ['protocol', settings(), data(1, 'x')],
    'HEADERS of the connection': ['protocol', settings(), headers(0)],
    'an even stream': ['protocol', settings(), headers(2)],
    'a stream twice': ['streamClosed', settings(), headers(1), reset(1), headers(1)],
    'a smaller stream': ['protocol', settings(), headers(5), headers(3)],
    'a stream that depends on itself': ['protocol', settings(), frame(2, 0, 3, uint32(3, 0).subarray(0, 5))],
    'an interrupted block': ['protocol', settings(), frame(1, 0, 1, literalBlock(getFields)), ping],
    'CONTINUATION of nothing': ['protocol', settings(), frame(9, 4, 1)],
    'CONTINUATION of another': ['protocol', settings(), frame(1, 0, 1), frame(9, 4, 3)],
    'a push': ['protocol', settings(), frame(frameType.pushPromise, 4, 1, uint32(2))],
    'padding longer than its frame': ['protocol', settings(), open, frame(0, 8, 1, Buffer.from([9, 1]))],
    'a RST_STREAM of an idle stream': ['protocol', settings(), reset(1)],
    'a RST_STREAM of five bytes': ['frameSize', settings(), open, frame(3, 0, 1, Buffer.alloc(5))],
    'a PING of a stream': ['protocol', settings(), frame(6, 0, 1, Buffer.alloc(8))],
    'a PING of seven bytes': ['frameSize', settings(), frame(6, 0, 0, Buffer.alloc(7))],
    'a GOAWAY of a stream': ['protocol', settings(), frame(7, 0, 1, Buffer.alloc(8))],
    'SETTINGS of a stream': ['protocol', settings(), frame(4, 0, 1)],
    'SETTINGS of five bytes': ['frameSize', settings(), frame(4, 0, 0, Buffer.alloc(5))],
    'an acknowledgement with settings': ['frameSize', settings(), frame(4, 1, 0, Buffer.alloc(6))],
    'push that is neither on nor off': ['protocol', settings([2, 2])],
    'a window too large': ['flowControl', settings([4, 2 ** 31])],
    'frames too small': ['protocol', settings([5, 16_383])],
    'frames too large': ['protocol', settings([5, 2 ** 24])],
    'a window update of 0': ['protocol', settings(), windowUpdate(0, 0)],
    'a window update of an idle stream': ['protocol', settings(), windowUpdate(1, 1)],
    'a window that overflows': ['flowControl', settings(), windowUpdate(0, 0x7fff_ffff)],
    'a window that overflows by a setting': [
      'flowControl',
      settings(),
      headers(1),
      windowUpdate(1, 0x7fff_0000),
      settings([4, 0x7fff_0000]),
    ],
    'a frame too long': ['frameSize', settings(), frame(0, 0, 1, Buffer.alloc(16_385))],
    'fields that cannot be decoded': ['compression', settings(), frame(1, 5, 1, Buffer.from([0x80]))],
  };
  for (const [what, [code, ...frames]] of Object.entries(cases)) {
    const harness = new Harness({ begin: frames });
    harness.read();
    equal(harness.log.frames.at(-1)?.code, code, what);
    equal(harness.isDone, true, what);
  }
});

test('Http2Session refuses a client that speaks something else', () => {
  const harness = new Harness();
  harness.connection.receive(Buffer.from('GET / HTTP/1.1\r\n'));
  equal(harness.connection.isOver, true);
});

test('Http2Session ends a stream that breaks the protocol, and goes on with others', () => {
  const cases: Record<string, readonly [string, ...Buffer[]]> = {
    'DATA after the end': ['streamClosed', headers(1), data(1, 'x')],
    'HEADERS after the end': ['streamClosed', headers(1), headers(1)],
    'trailers that are not the end': [
      'protocol',
      headers(1, getFields, { isEnd: false }),
      headers(1, getFields, { isEnd: false }),
    ],
    'a window update of 0': ['protocol', headers(1), windowUpdate(1, 0)],
    'a window that overflows': ['flowControl', headers(1), windowUpdate(1, 0x7fff_ffff)],
    'a short PRIORITY': ['frameSize', headers(1), frame(2, 0, 1, Buffer.alloc(4))],
  };
  for (const [what, [code, ...frames]] of Object.entries(cases)) {
    const harness = new Harness();
    deepEqual(harness.send(...frames).read(), [`resetStream 1 ${code}`], what);
    equal(harness.seen[0]!.events.at(-1), 'reset', what);
    harness.send(headers(3));
    equal(harness.seen.length, 2, what);
  }
});

test('Http2Session refuses more streams than it allows, before anything is done for them', () => {
  const harness = new Harness({ limits: { concurrentStreamsMax: 3 } });
  harness.send(...[1, 3, 5, 7, 9].map((id) => headers(id)));
  equal(harness.seen.length, 3);
  deepEqual(harness.read(), ['resetStream 7 refusedStream', 'resetStream 9 refusedStream']);
  deepEqual(harness.limits, ['streams', 'streams']);
});

test('Http2Session tells every stream when its socket has ended', () => {
  const harness = new Harness();
  harness.send(headers(1), headers(3));
  harness.connection.abandon();
  deepEqual(
    harness.seen.map(({ events }) => events),
    [['reset'], ['reset']],
  );
});
