import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import type { Question } from '#firewall';
import type { AskedRequest, AskedResponse, WrittenQuestion } from './asked-response.ts';
import { Asker } from './asker.ts';
import { keptBytesPerZoneMax, keptZonesMax, questionsMax, questionsPerZoneMax } from './limits.ts';

const url = 'https://auth.example/verify';

function createQuestion(change: Partial<Question> = {}): Question {
  return {
    asked: { kind: 'url', url },
    timeoutMs: 500,
    keepSeconds: 0,
    defaultAction: 'pass',
    told: ['uri'],
    sentFields: [],
    copiedFields: [],
    ...change,
  };
}

function visit(zone: string, target = '/'): AskedRequest {
  const request = {
    method: 'GET',
    host: zone,
    headers: [],
    clientAddress: '192.0.2.1',
    id: 'ray',
    isSecure: true,
  };
  return { request, target, zone: { id: zone, name: zone } } as unknown as AskedRequest;
}

test('Asker has no more questions under way than its bounds, and those of one zone leave room for others', async () => {
  const clock = new VirtualClock();
  const asked: WrittenQuestion[] = [];
  const asker = new Asker((question) => {
    asked.push(question);
    return new Promise<AskedResponse>(() => {});
  }, clock);
  const question = createQuestion();
  const waiting = Array.from({ length: questionsPerZoneMax }, () => asker.ask(question, visit('a')));
  deepEqual(asker.ask(question, visit('a')), {
    kind: 'none',
    reason: 'too many requests to it are in progress',
  });
  for (let zone = 1; zone < questionsMax / questionsPerZoneMax; zone++)
    for (let count = 0; count < questionsPerZoneMax; count++)
      waiting.push(asker.ask(question, visit(`z${zone}`)));
  equal(asked.length, questionsMax);
  deepEqual(asker.ask(question, visit('last')), {
    kind: 'none',
    reason: 'too many requests to it are in progress',
  });
  // A question that times out frees its slot.
  await clock.advance(500);
  const reasons = (await Promise.all(waiting.map(async (answer) => answer))).map(
    (answer) => answer.kind === 'none' && answer.reason,
  );
  deepEqual([...new Set(reasons)], ['none came within 500 ms']);
  ok(asker.ask(question, visit('a')) instanceof Promise);
  equal(asker.counts.late, questionsMax);
});

test('Asker keeps answers of a zone up to a number of bytes, of so many zones, and for their time', async () => {
  const clock = new VirtualClock();
  let asked = 0;
  const asker = new Asker(async () => {
    asked++;
    return { status: 204, headers: [['x-user', 'u'.repeat(1_000)]], body: Buffer.alloc(0) };
  }, clock);
  const question = createQuestion({ keepSeconds: 60, copiedFields: ['x-user'] });
  const ask = async (zone: string, target: string): Promise<number> => {
    const before = asked;
    await asker.ask(question, visit(zone, target));
    return asked - before;
  };
  equal(await ask('a', '/0'), 1);
  equal(await ask('a', '/0'), 0);
  const many = Math.ceil(keptBytesPerZoneMax / 2_000);
  for (let index = 1; index <= many; index++) await ask('a', `/${index}`);
  equal(await ask('a', `/${many}`), 0, 'the newest is kept');
  equal(await ask('a', '/0'), 1, 'the oldest has gone');
  for (let zone = 0; zone < keptZonesMax; zone++) await ask(`z${zone}`, '/');
  equal(await ask('a', '/0'), 1, 'a zone that was not asked about for long has gone');
  await clock.advance(60_000);
  equal(await ask('a', '/0'), 1, 'its time is over');
});
