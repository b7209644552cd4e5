/**
 * Ways to crash or stall the program, for a visitor without credentials, a read-only token, and a Worker: during each,
 * the API, the page, the admin port, another site and another Worker respond, and the program stays the same process.
 * In a test run a few requests are sent during each way, with 200 descriptors, and the Worker's are tried from its
 * handler only. `npm run verify -- hostile` tries all in turns for an hour, with 200, 1,024 and 4,096 descriptors, and
 * requires that none of the others is unavailable for more than a second; `GATEHOUSE_HOSTILE_MINUTES=5` makes it
 * shorter, and `GATEHOUSE_HOSTILE_ONLY` takes the ways whose names contain it.
 */
import { deepEqual, match, ok } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { TestOrigin } from '../edge/test-origin.ts';
import type { Bystander } from '../neighbours/bystanders.ts';
import { HostileSite } from './hostile-site.ts';
import { channelWays, waysOfWorker, workerWays } from './hostile-worker.ts';
import { readerWays } from './reader-ways.ts';
import { strangerWays } from './stranger-ways.ts';
import type { Way } from './way.ts';

const { GATEHOUSE_HOSTILE_MINUTES = '0', GATEHOUSE_HOSTILE_ONLY = '' } = process.env;
/** 0: until each bystander has been answered `shortAnswers` times. */
const minutes = Number(GATEHOUSE_HOSTILE_MINUTES);
const shortAnswers = 1;
const awayMsMax = 1_000;
/** Of one way in a turn: long enough for killed processes to be restarted. */
const turnMs = 5_000;

const ofWorkers =
  minutes === 0
    ? waysOfWorker('handler', workerWays)
    : [
        ...waysOfWorker('handler', [...workerWays, ...channelWays]),
        ...waysOfWorker('object', [...workerWays, ...channelWays]),
      ];
const ways: readonly Way[] = [...strangerWays, ...readerWays, ...ofWorkers].filter(({ name }) =>
  name.includes(GATEHOUSE_HOSTILE_ONLY),
);

for (const descriptors of minutes === 0 ? [200] : [200, 1_024, 4_096])
  test(`${ways.length} ways to end or to stall a program with ${descriptors} descriptors`, async (t) => {
    await using origin = await TestOrigin.listen();
    const hostile = await HostileSite.start(t, origin, descriptors);
    const bystanders = hostile.createBystanders();
    const endMs = performance.now() + (minutes * 60_000) / 3;
    do for (const way of ways) await meet(t, hostile, way, bystanders);
    while (performance.now() < endMs);
    for (const bystander of bystanders)
      t.diagnostic(`${bystander.describe()}, away for ${Math.round(bystander.awayMs)} ms at most`);
    if (minutes === 0) return;
    const away = bystanders.filter(({ awayMs }) => awayMs > awayMsMax).map(({ name }) => name);
    deepEqual(away, []);
    if (ways.some(({ name }) => name.includes('a frame')))
      match(hostile.site.server.stderr, /broke the protocol/);
  });

async function meet(
  t: TestContext,
  hostile: HostileSite,
  way: Way,
  bystanders: readonly Bystander[],
): Promise<void> {
  if (way.needsWorker === true) await hostile.revive();
  const end = new AbortController();
  const tried = way.run(hostile, end.signal).catch((error: unknown) => ok(end.signal.aborted, String(error)));
  const before = bystanders.map(({ awayMs }) => awayMs);
  if (minutes === 0) await Promise.all(bystanders.map(askInShort));
  else
    await Promise.all([
      delay(turnMs).then(() => end.abort()),
      ...bystanders.map((each) => each.askUntil(end.signal)),
    ]);
  end.abort();
  await tried;
  hostile.checkLives();
  for (const [index, { name, awayMs }] of bystanders.entries())
    if (minutes > 0 && awayMs > awayMsMax && awayMs > before[index]!)
      t.diagnostic(`${way.name}: ${name} away for ${Math.round(awayMs)} ms`);
}

/** A new client may have to retry while others occupy every slot. */
async function askInShort(bystander: Bystander): Promise<void> {
  const wanted = bystander.answered + shortAnswers;
  await eventually(async () => {
    await bystander.askOnce();
    return bystander.answered >= wanted;
  }, `${bystander.name} is answered`);
}
