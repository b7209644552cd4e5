/**
 * Two objects of one Worker, in two hosts: while one attacks, calls to the other are answered, and no acknowledged
 * write is lost, of either object. In a test run a fixed number of calls is made during each attack. `npm run verify --
 * neighbours` attacks for 30 s each, once more with other processes that keep every core busy, and requires a 99th
 * percentile below 250 ms for the other's responses.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { call, Gatehouse, temporary } from '../../src/program/cli/testing.ts';
import { busyObjects, endlessStatements } from './busy-objects.ts';
import { Bystander } from './bystanders.ts';
import { keepCoresBusy } from './busy-cores.ts';
import { repeat } from './neighbour.ts';

/** 0: until each bystander has asked `shortRequests` times. */
const seconds = Number(process.env['GATEHOUSE_NEIGHBOURS_SECONDS'] ?? 0);
const shortRequests = 5;
const p99MsMax = 250;

/** The attacks, by the rest of the path of their calls; by one object repeatedly, or by many. */
interface ObjectAttack {
  readonly name: string;
  readonly method: string;
  readonly clients: number;
  readonly objects: 'one' | 'many';
}

/** In a test run, one of several similar attacks stands for all. */
const isShort = seconds === 0;
const statements = isShort ? (['recursion'] as const) : endlessStatements;

const attacks: readonly ObjectAttack[] = [
  ...statements.map((kind): ObjectAttack => ({
    name: `an endless statement: ${kind}`,
    method: `query/${kind}`,
    clients: 1,
    objects: 'one',
  })),
  {
    name: 'an endless statement of one object after the other',
    method: 'query/join',
    clients: 4,
    objects: 'many',
  },
  ...(isShort ? ['loop'] : ['loop', 'loopLater']).map((method): ObjectAttack => ({
    name: method === 'loop' ? 'an endless loop' : 'an endless loop after an await',
    method,
    clients: 1,
    objects: 'one',
  })),
  { name: 'too much memory', method: 'fill', clients: 1, objects: 'one' },
  { name: 'a flood of writes', method: 'flood', clients: 8, objects: 'one' },
  { name: 'large values', method: 'values', clients: 2, objects: 'one' },
];

test('objects in another host than one that does its worst are served, and nothing acknowledged is lost', async (t) => {
  const path = join(temporary(t, { 'index.mjs': busyObjects }), 'index.mjs');
  // In a test run, a loop is killed sooner.
  const limits = isShort ? ['--cpu-ms', '1500', '--host-bytes', '67108864'] : [];
  const dev = new Gatehouse(t, 'dev', path, '--no-watch', '--quiet', '--hosts', '2', ...limits);
  const site = new ObjectSite(await dev.url());
  await site.spread();
  for (const attack of attacks) {
    await t.test(attack.name, async (part) => {
      await meet(part, site, attack);
      if (isShort) return;
      using _load = keepCoresBusy();
      await meet(part, site, attack);
    });
  }
  await site.checkKept();
  equal(await dev.end('SIGTERM'), 0);
});

async function meet(t: TestContext, site: ObjectSite, attack: ObjectAttack): Promise<void> {
  const end = new AbortController();
  const attempts = site.attack(attack, end.signal);
  const bystanders = site.createBystanders();
  const pid = await site.pidOfOthers();
  await (seconds === 0
    ? Promise.all(bystanders.map(askInShort))
    : Promise.all([
        delay(seconds * 1_000).then(() => end.abort()),
        ...bystanders.map((each) => each.askUntil(end.signal)),
      ]));
  end.abort();
  ok((await attempts) > 0);
  equal(await site.pidOfOthers(), pid, 'the other host goes on');
  for (const bystander of bystanders) {
    t.diagnostic(bystander.describe());
    deepEqual(bystander.failures, [], bystander.name);
    if (seconds > 0) ok(bystander.percentile(0.99) < p99MsMax, bystander.describe());
  }
  await site.hitBeside();
}

async function askInShort(bystander: Bystander): Promise<void> {
  for (let asked = 0; asked < shortRequests; asked++) await bystander.askOnce();
}

/** The objects of the Worker, by the host that they are in: that of the attackers, or the other one. */
class ObjectSite {
  readonly #url: string;
  readonly #attackers: string[] = [];
  /** Class and name of objects in the other host: one of the class of the attackers, one of another. */
  readonly #others: string[] = [];
  /** Of an object that shares the host of the attackers. */
  #beside = '';
  /** What each object has acknowledged. */
  readonly #counts = new Map<string, number>();
  #attacks = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Finds out which objects are where. */
  async spread(): Promise<void> {
    const pid = await this.#ask('Attacker/0/pid');
    for (let i = 0; this.#attackers.length < 40 || this.#others.length < 2 || this.#beside === ''; i++) {
      const [attacker, victim] = [`Attacker/${i}`, `Victim/${i}`];
      if ((await this.#ask(`${attacker}/pid`)) === pid) this.#attackers.push(attacker);
      else if (!this.#others.some((each) => each.startsWith('Attacker'))) this.#others.push(attacker);
      if (this.#beside !== '' && this.#others.some((each) => each.startsWith('Victim'))) continue;
      if ((await this.#ask(`${victim}/pid`)) === pid) this.#beside = victim;
      else this.#others.push(victim);
    }
  }

  pidOfOthers(): Promise<unknown> {
    return this.#ask(`${this.#others[0]!}/pid`);
  }

  createBystanders(): readonly Bystander[] {
    return this.#others.map(
      (object) => new Bystander(`${object}, in the other host`, () => this.#hit(object)),
    );
  }

  /** Calls until the signal; a call that is then waiting is abandoned. */
  attack({ method, clients, objects }: ObjectAttack, signal: AbortSignal): Promise<number> {
    const first = this.#attackers[this.#attacks++ % this.#attackers.length]!;
    return repeat(clients, signal, async () => {
      const object = objects === 'one' ? first : this.#attackers[this.#attacks++ % this.#attackers.length]!;
      const answer = await fetch(`${this.#url}/${object}/${method}`, { signal });
      await answer.arrayBuffer();
      // A call that is refused at once is soon retried, as clients do.
      if (answer.status !== 200) await delay(20, undefined, { signal });
    });
  }

  /** The object beside the attackers recovers, and has all acknowledged writes. */
  async hitBeside(): Promise<void> {
    while ((await this.#hit(this.#beside)) !== 200);
  }

  /** Remaining calls of the last attack may still kill the host of the attackers. */
  async checkKept(): Promise<void> {
    for (const object of this.#others) equal(await this.#hit(object), 200);
    await this.hitBeside();
  }

  /** Writes, and returns the status; a response that misses an earlier acknowledged write does not count. */
  async #hit(object: string): Promise<number> {
    const answer = await fetch(`${this.#url}/${object}/hit`);
    const body: unknown = await answer.json();
    if (answer.status !== 200) return answer.status;
    const before = this.#counts.get(object) ?? 0;
    ok((body as number) > before, `${object} had acknowledged ${before}, and counts ${String(body)}`);
    this.#counts.set(object, body as number);
    return answer.status;
  }

  #ask(path: string): Promise<unknown> {
    return call(`${this.#url}/${path}`);
  }
}
