/** Objects in two host processes: they are called as in one process, and the end of a host does not delay others. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after, before, test } from 'node:test';
import { createLog } from '#base';
import { type ObjectHosts, createHosts } from '#hosts';
import { createRuntime } from '#objects';
import { eventually } from '../eventually.ts';
import './quick-start.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- any method of Probe
type Stub = any;

const module = new URL('./objects.ts', import.meta.url);
const lost = { message: 'Network connection lost.', retryable: true, durableObjectReset: true };
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-hosts-'));
const residentBytesMax = 320 * 1024 * 1024;
const ends: string[] = [];
const log = createLog({ level: 'error', format: 'text', write: (line) => ends.push(line) });
let hosts: ObjectHosts;

before(async () => {
  hosts = await createHosts({
    directory,
    hosts: 2,
    module,
    log,
    cpuMsMax: 1_000,
    statementMsMax: 500,
    // An evicted object loses the in-memory state that a test gave it.
    idleMs: 600_000,
    heapBytesMax: 64 * 1024 * 1024,
    residentBytesMax,
  });
});
after(async () => {
  await hosts.close();
  rmSync(directory, { recursive: true });
});

function stub(name: string): Stub {
  return hosts.namespace('Probe').getByName(name);
}

/** Names that begin with this text, of an object in each host. */
async function namesInBoth(text: string): Promise<[string, string]> {
  const first = `${text} 0`;
  const pid = await stub(first).pid();
  for (let i = 1; ; i++) {
    const other = `${text} ${i}`;
    if ((await stub(other).pid()) !== pid) return [first, other];
  }
}

/** The name of another object in the host of this one. */
async function nameBeside(name: string): Promise<string> {
  const pid = await stub(name).pid();
  for (let i = 0; ; i++)
    if ((await stub(`${name}, beside ${i}`).pid()) === pid) return `${name}, beside ${i}`;
}

function rejects(call: Stub, expected: object): Promise<void> {
  return assert.rejects(Promise.resolve(call), expected);
}

test('createHosts puts objects into several processes, none of them this one', async () => {
  const [a, b] = await namesInBoth('spread');
  const pids = [await stub(a).pid(), await stub(b).pid()];
  assert.deepEqual(new Set(pids), new Set(hosts.pids));
  assert.ok(!pids.includes(process.pid));
  assert.deepEqual(
    [await stub(a).increment(), await stub(a).increment(), await stub(b).increment()],
    [1, 2, 1],
  );
});

test('createHosts carries stubs, functions, errors and requests as one process does', async () => {
  const [a, b] = await namesInBoth('carried');
  using tally = await stub(a).tally();
  assert.equal(await tally.add(2), 2);
  assert.equal(await stub(a).tally().add(5), 5);
  assert.equal(await stub(a).apply((value: number) => value * 2, 21), 42);
  await rejects(stub(a).fail(), {
    name: 'RangeError',
    message: 'out of range',
    remote: true,
    retryable: true,
  });
  await rejects(stub(a).missing(), /The RPC receiver does not implement the method "missing"/);
  await rejects(stub(a).alarm(), /'alarm' is a reserved method/);
  const response: Response = await stub(a).fetch('http://object/', { method: 'POST', body: 'sent' });
  assert.deepEqual([response.headers.get('x-method'), await response.text()], ['POST', 'sent']);
  assert.equal(stub(a).name, a);
  // From object to object, in the other host and in the same one.
  assert.equal(await stub(a).ask(b, 'pid'), await stub(b).pid());
  assert.equal(await stub(a).ask(b, 'ask', a, 'increment'), 1);
  await rejects(stub(a).ask(b, 'fail'), { name: 'RangeError', message: 'out of range', remote: true });
  // The stub of an object reaches the object wherever it is passed.
  assert.equal(await stub(a).pidOf(stub(b)), await stub(b).pid());
  assert.equal(await stub(a).pidOf(stub(a)), await stub(a).pid());
  const handed: Stub[] = [];
  for (const name of [a, b]) await stub(a).hand(name, async (given: Stub) => handed.push(await given.pid()));
  assert.deepEqual(handed, [await stub(a).pid(), await stub(b).pid()]);
});

test('createHosts answers with text of more than 8 MiB, and refuses more than 32 MiB', async () => {
  for (const name of await namesInBoth('long')) {
    for (const length of [8 * 2 ** 20 + 1, 33_000_000])
      assert.equal((await stub(name).text(length)).length, length);
    await assert.rejects(Promise.resolve(stub(name).text(2 ** 25)), /limited to 32MiB/);
    assert.equal(await stub(name).increment(), 1);
  }
});

test('createHosts resets an object as one process does', async () => {
  const aborted = stub('reset');
  assert.equal(await aborted.remember(), 1);
  const waiting = aborted.waitForEver();
  const cause = { message: 'on request', durableObjectReset: true };
  await Promise.all([rejects(waiting, cause), rejects(aborted.abort(), cause)]);
  await rejects(aborted.remember(), cause);
  assert.equal(await stub('reset').remember(), 1);
});

test('createHosts runs alarms in the host of the object', async () => {
  await stub('alarm').ring();
  let rang: unknown;
  while (rang === undefined) rang = await stub('alarm').rang();
  assert.equal(rang, 'after 0 retries');
});

const endings = {
  loopForEver: /object host \d.*its event loop did not turn/,
  queryForEver: /object host \d.*an SQL statement exceeded its time limit.*WITH RECURSIVE/,
  throwBeside: /object host \d.*nobody catches this/,
  // Collecting garbage at the limit can take the CPU time that an event may take.
  fillMemory: /object host \d.*(?:SIGABRT|heap out of memory|its event loop did not turn)/,
  holdBuffers: /object host \d.*it used \d+ MB of memory, and 320 MB are allowed/,
};

/** The error for callers of an object that is known to have blocked its host; then the object is paused. */
const explanations: Readonly<Record<string, object>> = {
  loopForEver: {
    message: /^Durable Object exceeded its CPU time limit and was reset\..*object Probe/,
    durableObjectReset: true,
  },
  queryForEver: {
    message:
      /^Durable Object storage operation exceeded timeout which caused object to be reset\..*object Probe [0-9a-f]{64} \(queryForEver 0\), statement WITH RECURSIVE/,
    durableObjectReset: true,
  },
};
const paused = {
  message: /^Durable Object is paused until \d.*because its process had to be ended: /,
  overloaded: true,
};

for (const [method, reason] of Object.entries(endings)) {
  test(`createHosts ends a host for ${method}(), goes on with the others, and starts its objects again`, async () => {
    const [a, b] = await namesInBoth(method);
    const [held, other] = [stub(a), stub(b)];
    await held.increment();
    const beside = await nameBeside(a);
    await stub(beside).increment();
    await other.remember();
    const [heldPid, otherPid] = [await held.pid(), await other.pid()];
    ends.length = 0;
    const told = explanations[method] ?? lost;
    const ended = rejects(held[method](residentBytesMax), told);
    // Memory fills up between other events, which may be answered or not.
    const behind = /Memory|Buffers/.test(method) ? ended : rejects(held.remember(), told);
    const [between] = await Promise.all([other.remember(), ended, behind]);
    assert.equal(between, 2);
    await rejects(held.increment(), lost);
    const again = stub(method in explanations ? beside : a);
    assert.equal(await again.increment(), 2);
    assert.notEqual(await again.pid(), heldPid);
    if (method in explanations) await rejects(stub(a).increment(), paused);
    assert.deepEqual([await other.remember(), await other.pid()], [3, otherPid]);
    assert.match(ends.join(''), reason);
  });
}

test('createHosts ends a host for an alarm without an end once, and lets the alarm wait', async () => {
  const name = 'alarm for ever';
  const beside = await nameBeside(name);
  const pid = await stub(beside).pid();
  ends.length = 0;
  await stub(name).ringForEver();
  for (let now = pid; now === pid;)
    now = await stub(beside)
      .pid()
      .catch(() => pid);
  // The alarm is overdue when the next process starts, and would end it as well.
  await rejects(stub(name).pid(), paused);
  const after = await stub(beside).pid();
  for (let i = 0; i < 100; i++) assert.equal(await stub(beside).pid(), after);
  assert.equal(ends.filter((line) => line.includes('has ended')).length, 1);
});

test('createHosts tells an object in another host that the one it calls is gone', async () => {
  const [a, b] = await namesInBoth('between');
  const pid = await stub(b).pid();
  const asked = stub(a).ask(b, 'waitForEver');
  // When this returns, the call before it has been sent to the other host.
  await stub(a).ask(b, 'pid');
  process.kill(pid, 'SIGKILL');
  await rejects(asked, { message: 'Network connection lost.', remote: true, retryable: true });
  // Until the other host is known to have ended, callers get a retryable error.
  let value: unknown;
  await eventually(async () => {
    value = await Promise.resolve(stub(a).ask(b, 'increment')).catch(
      (error: { readonly retryable?: boolean }) => assert.equal(error.retryable, true),
    );
    return value !== undefined;
  }, 'answered by the next one');
  assert.equal(value, 1);
});

test('createHosts tells of a host that fails at each start, backs it off, and lets its callers wait', async (t: TestContext) => {
  const own = mkdtempSync(join(tmpdir(), 'gatehouse-hosts-'));
  t.after(() => rmSync(own, { recursive: true }));
  const obstacle = join(own, 'obstacle');
  const told = new Told();
  const fragile = new URL('./fragile-objects.ts', import.meta.url);
  await using fragileHosts = await createHosts({
    directory: own,
    hosts: 2,
    module: fragile,
    data: obstacle,
    log: told.log,
  });
  const find = (name: string): Stub => fragileHosts.namespace('Fragile').getByName(name);
  const pids = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map(async (name) => [name, await find(name).pid()] as const),
  );
  const [name, pid] = pids[0]!;
  const [other] = pids.find((each) => each[1] !== pid)!;
  assert.equal(await find(name).increment(), 1);
  writeFileSync(obstacle, '');
  process.kill(pid, 'SIGKILL');
  await told.until(4);
  const delays = told.lines.map((line) => Number(/retryMs=(\d+)/.exec(line)![1]));
  assert.match(told.lines[0]!, /it was ended by SIGKILL/);
  assert.match(told.lines[1]!, /object host \d.*the obstacle is in the way/);
  assert.ok(
    delays.slice(1).every((delay, i) => delay > delays[i]!),
    `retried after ${delays.join(', ')} ms`,
  );
  const states = fragileHosts.states.map(({ state }) => state);
  assert.equal(states.filter((state) => state === 'running').length, 1, states.join());
  const waiting = find(name).increment();
  assert.equal(await find(other).increment(), 1);
  rmSync(obstacle);
  assert.equal(await waiting, 2);

  // With other data, the code is loaded again; a host that starts later gets it, too.
  const before = find(other);
  assert.equal(await before.data(), obstacle);
  await fragileHosts.reload('/nowhere');
  await rejects(before.data(), { message: 'Durable Object reset because its code was updated.' });
  process.kill(await find(name).pid(), 'SIGKILL');
  await told.until(told.lines.length + 1);
  assert.deepEqual([await find(name).data(), await find(other).data()], ['/nowhere', '/nowhere']);
});

/** A log of the ends of hosts. */
class Told {
  readonly lines: string[] = [];
  #waiting: { readonly lines: number; readonly resolve: () => void } | undefined;
  readonly log = createLog({
    level: 'error',
    format: 'text',
    write: (line) => {
      this.lines.push(line);
      if (this.lines.length >= (this.#waiting?.lines ?? Infinity)) this.#waiting!.resolve();
    },
  });

  async until(lines: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = { lines, resolve };
    if (this.lines.length < lines) await promise;
  }
}

test('createHosts finds its objects again, and keeps others out of the directory', async (t: TestContext) => {
  const own = mkdtempSync(join(tmpdir(), 'gatehouse-hosts-'));
  t.after(() => rmSync(own, { recursive: true }));
  const open = (): Promise<ObjectHosts> => createHosts({ directory: own, hosts: 1, module, log });
  for (const expected of [1, 2]) {
    await using again = await open();
    assert.equal(await again.namespace('Probe').getByName('a').increment(), expected);
    await assert.rejects(open(), { code: 'DIRECTORY_LOCKED' });
    await assert.rejects(createRuntime({ directory: own, classes: 'recorded' }), {
      code: 'HOSTS_MISMATCH',
      message: /its objects are in several hosts; open it with createHosts\(\)/,
    });
  }
});

test('createHosts says what is wrong with its options and with the module', async (t: TestContext) => {
  const own = mkdtempSync(join(tmpdir(), 'gatehouse-hosts-'));
  t.after(() => rmSync(own, { recursive: true }));
  const open = (more: object): Promise<ObjectHosts> =>
    createHosts({ directory: own, hosts: 1, module, log, ...more });
  await assert.rejects(open({ hosts: 0 }), /hosts must be a whole number from 1 to 64: 0/);
  await assert.rejects(open({ module: './objects.ts' }), /module must be an absolute path or a file: URL/);
  await assert.rejects(open({ cpuMsMax: -1 }), /cpuMsMax must be more than 0: -1/);
  await assert.rejects(
    open({ module: import.meta.resolve('#base') }),
    /must export classes, an object such as/,
  );
});
