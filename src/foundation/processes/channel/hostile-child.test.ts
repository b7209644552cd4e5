/** What a child can do to its parent by writing anything to its descriptors. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { serialize } from 'node:v8';
import { createLog } from '#base';
import { Lines } from '#streams';
import { ChildProcess, type ChildWork } from '../child-process.ts';
import { describeEnd } from '../end-reason.ts';
import { intakeMsMax, lineCharactersMax } from '../limits.ts';
import { Intake } from './intake.ts';

function startChild(t: TestContext, work: Partial<ChildWork> = {}) {
  const lines: string[] = [];
  const log = createLog({ level: 'info', format: 'json', write: (line) => void lines.push(line) });
  const module = new URL('../testdata/child.ts', import.meta.url);
  // Only its output ends it.
  const child = new ChildProcess({
    name: 'hostile',
    module,
    setup: {},
    log,
    silentMs: 120_000,
    stuckMs: 600_000,
    ...work,
  });
  t.after(() => child.kill({ kind: 'stopped' }));
  return { child, lines };
}

function frame(value: unknown): Buffer {
  const body = serialize(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
}

/** Resolves while it runs. */
async function isServing(child: ChildProcess, messages: unknown[]): Promise<void> {
  const before = messages.length;
  await child.send('echo');
  while (messages.length === before) await new Promise(setImmediate);
}

test('ChildProcess ends a child for a wrong word on any descriptor, and only that child', async (t) => {
  const bystander = spawn('sleep', ['600'], { stdio: 'ignore' });
  t.after(() => bystander.kill('SIGKILL'));
  const messages: unknown[] = [];
  const { child: other } = startChild(t, { onMessage: (body) => void messages.push(body) });
  await other.ready;
  const orphan = `{"kind":"stuck","orphan":${bystander.pid},"ms":1,"work":{}}\n`;
  const words: readonly (readonly [fd: number, bytes: Uint8Array, problem: RegExp])[] = [
    [4, Buffer.from('x\n'), /not JSON/],
    [4, Buffer.from('null\n'), /not an object/],
    [4, Buffer.from('[]\n{"kind":"made up"}\n'), /not an object/],
    [4, Buffer.from('{"kind":"beat","residentBytes":"much"}\n'), /not an amount/],
    [4, Buffer.from('{"kind":"stuck","ms":1,"work":null}\n'), /not an object/],
    [4, Buffer.from(orphan), /speaks for another process/],
    [4, Buffer.alloc(4 * 1024 * 1024, 'x'), /not JSON/],
    [5, Buffer.from('x\n\n\n\nx'), /longer than/],
    [5, Buffer.from([0, 0, 0, 0]), /not a value/],
    [5, Buffer.from([0xff, 0xff, 0xff, 0xff]), /longer than/],
    [5, frame(null), /not an object/],
    [5, frame({ kind: 'handle', name: 'a' }), /a kind that no child sends/],
    [5, frame({ kind: 'beat', residentBytes: Number.NaN }), /not an amount/],
    [5, frame({ kind: 'printed', text: 5 }), /not a text/],
    [5, frame({ kind: 'ready', value: 1 }), /ready before/],
    [5, frame({ kind: 'message', body: 'refused' }), /body of a stranger/],
  ];
  for (const [fd, bytes, problem] of words) {
    const { child, lines } = startChild(t, {
      messageBytesMax: 100_000,
      onMessage(body) {
        if (body === 'refused') throw new TypeError('the body of a stranger');
      },
    });
    await child.ready;
    await child.send({ fd, bytes });
    const reason = await child.ended;
    const said = `${fd} ${Buffer.from(bytes.subarray(0, 80)).toString('latin1')}: ${describeEnd(reason)}`;
    equal(reason.kind, 'protocol', said);
    match(describeEnd(reason), problem, said);
    equal(lines.filter((line) => line.includes('because it broke the protocol')).length, 1, said);
  }
  equal(bystander.exitCode ?? bystander.signalCode, null);
  await isServing(other, messages);
});

test('ChildProcess leaves no channel of Node to a child, and ends one that closes its pipe', async (t) => {
  const { child: closing } = startChild(t);
  await closing.ready;
  await closing.send({ fd: 5, isClosed: true });
  deepEqual(await closing.ended, { kind: 'protocol', problem: 'its channel is closed' });
  const { child } = startChild(t);
  await child.ready;
  await child.send({ fd: 3, bytes: Buffer.from('x\n') });
  // Another open file may have the descriptor by then.
  match(describeEnd(await child.ended), /^it exited with code 1: Error: (?:EBADF|EINVAL): /);
});

test('ChildProcess logs entries that a child has made up without giving way', async (t) => {
  const { child, lines } = startChild(t);
  await child.ready;
  const entry = '{"time":1,"level":"error","message":"made up","process":"program"';
  const deep = `${entry},"deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
  await child.send({ fd: 2, bytes: Buffer.from(`${entry}}\n${entry},"error":null}\n${deep}\n`) });
  await child.stop({ graceMs: 60_000 });
  deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ message, process }) => [message, process]),
    [
      ['made up', 'hostile'],
      ['made up', 'hostile'],
      ['a process printed', 'hostile'],
    ],
  );
});

test('ChildProcess serves others while children send without end', async (t) => {
  const messages: unknown[] = [];
  const { child: other } = startChild(t, { onMessage: (body) => void messages.push(body) });
  await other.ready;
  const beat = Buffer.from('{"kind":"beat"}\n'.repeat(1_000));
  const note = frame({ kind: 'message', body: 'note' });
  const floods = { 1: Buffer.alloc(10_000, '\n'), 4: beat, 5: note };
  for (const [fd, bytes] of Object.entries(floods)) {
    const first = Promise.withResolvers<void>();
    const { child } = startChild(t, { onMessage: () => first.resolve() });
    await child.ready;
    await child.send({ fd: Number(fd), bytes, isEndless: true });
    if (fd === '5') await first.promise;
  }
  for (let round = 0; round < 20; round++) await isServing(other, messages);
});

test('Intake takes what is there in many turns', async () => {
  const stream = new Readable({ read() {}, encoding: 'utf8' });
  /** Waiting for it takes a millisecond. */
  const never = new Int32Array(new SharedArrayBuffer(4));
  let taken = 0;
  let takenInTurn = 0;
  let mostInTurn = 0;
  // oxlint-disable-next-line no-new -- it lives as long as the stream
  new Intake(stream, {
    splitter: new Lines(lineCharactersMax),
    take() {
      taken++;
      mostInTurn = Math.max(mostInTurn, ++takenInTurn);
      Atomics.wait(never, 0, 0, 1);
    },
    onFault() {},
  });
  stream.push('line\n'.repeat(200));
  stream.push(null);
  const ended = once(stream, 'end');
  const isOver = (): boolean => taken === 200;
  while (!isOver()) {
    await new Promise(setImmediate);
    takenInTurn = 0;
  }
  await ended;
  // Each takes about a millisecond.
  equal(mostInTurn <= 2 * intakeMsMax, true, String(mostInTurn));
});
