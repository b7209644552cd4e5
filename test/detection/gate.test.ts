/**
 * The gate that every commit passes: how many attacks of the corpus are stopped, and how few ordinary requests. The figures
 * of the last commit are in `figures.json`; `npm run detection` shows what is missed, and writes better figures.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatRequest } from '../../src/rules/managed/testing.ts';
import { countPayloads } from './corpus/attacks.ts';
import { places } from './corpus/places.ts';
import { Random } from './corpus/random.ts';
import { createZone, type Stopped } from './corpus/zone.ts';
import { measure, readFigures, type Share, shareOf } from './measure.ts';

const measured = await measure();
const { figures } = measured;
const before = readFigures();

function showShare(share: Share): string {
  return `${share[0]} of ${share[1]} (${(100 * shareOf(share)).toFixed(2)} %)`;
}

test('the corpus is large, and no request is in it twice', () => {
  const ordinary = new Set(measured.ordinary.map(({ request }) => formatRequest(request)));
  ok(ordinary.size >= 5_000, `${ordinary.size} ordinary requests`);
  const attacks = new Set(measured.attacks.map(({ request }) => formatRequest(request)));
  ok(attacks.size >= 3_000, `${attacks.size} attacks`);
  ok(countPayloads() >= 400, `${countPayloads()} payloads`);
  equal(new Set(measured.values.map(({ kind, value }) => `${kind} ${value}`)).size >= 10_000, true);
});

/** All of them are texts about code, which a frame does not excuse. */
const falseAlarmsMax = 0.01;
const stoppedValuesMax = 0.03;
const aboutCode: ReadonlySet<string> = new Set(['prose', 'post with code', 'rich text']);
const detectedMin = 0.97;
const detectedOfClassMin = 0.95;
const disguisedMin = 0.95;

test('the managed rules of every plan stop at most 1 % of ordinary requests, all of them texts about code', () => {
  for (const plan of ['free', 'paid']) {
    const share = figures.falseAlarms[plan]!;
    const examples = measured.falseAlarms
      .filter((each) => each.plan === plan)
      .slice(0, 10)
      .map(({ kind, title, by }) => `${kind}, ${title}: ${by.description}`);
    ok(shareOf(share) <= falseAlarmsMax, `${plan}: ${showShare(share)}\n${examples.join('\n')}`);
  }
});

test('no prose, name, URL or upload is stopped, and and at most 3 % of posts with code and rich text', () => {
  ok(shareOf(figures.falseAlarms['values']!) <= stoppedValuesMax, showShare(figures.falseAlarms['values']!));
  deepEqual(
    measured.stoppedValues
      .filter(({ kind }) => !aboutCode.has(kind))
      .map(({ kind, value, by }) => `${kind}: ${by.description}: ${value.slice(0, 200)}`),
    [],
  );
});

test('the managed rules of a paid plan stop 97 % of the attacks, and 95 % of each class', () => {
  ok(shareOf(figures.attacks) >= detectedMin, showShare(figures.attacks));
  const low = Object.entries(figures.classes).filter(([, share]) => shareOf(share) < detectedOfClassMin);
  deepEqual(low, []);
});

test('at least 95 % of what is stopped as a plain argument is stopped in disguise', () => {
  ok(shareOf(figures.evasion) >= disguisedMin, showShare(figures.evasion));
});

test('no class of attacks and no place is detected worse than at the last commit', () => {
  const worse = (['classes', 'places'] as const).flatMap((by) =>
    Object.entries(before[by]).flatMap(([name, share]) => {
      const now = figures[by][name];
      if (now !== undefined && shareOf(now) >= shareOf(share)) return [];
      return [`${name}: ${now === undefined ? 'none' : showShare(now)}, was ${showShare(share)}`];
    }),
  );
  deepEqual(worse, []);
});

test('no more ordinary requests are stopped than at the last commit', () => {
  for (const [name, share] of Object.entries(before.falseAlarms)) {
    const now = figures.falseAlarms[name]!;
    ok(shareOf(now) <= shareOf(share), `${name}: ${showShare(now)}, was ${showShare(share)}`);
  }
});

test('disguises hide no more attacks than at the last commit', () => {
  ok(
    shareOf(figures.evasion) >= shareOf(before.evasion),
    `${showShare(figures.evasion)}, was ${showShare(before.evasion)}`,
  );
});

/** Lines that were written after the detectors. */
function readLater(name: string): readonly string[] {
  const text = readFileSync(new URL(`corpus/later/${name}.txt`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

async function judgeIn(place: string, name: string, value: string): Promise<Stopped | undefined> {
  const random = new Random(5);
  return later(places.find((each) => each.name === place)!.build({ value, name, random, transport: {} }));
}

const later = createZone('paid');
const argumentNames: Readonly<Record<string, string>> = { ssrf: 'url', traversal: 'file' };

test('payloads that were written later are stopped, 96 % of them, wherever they stand', async () => {
  const lines = readLater('attacks');
  const missed: string[] = [];
  for (const line of lines) {
    const [kind = '', value = ''] = line.split('\t');
    for (const place of ['query', 'json']) {
      if ((await judgeIn(place, argumentNames[kind] ?? 'q', value)) === undefined)
        missed.push(`${place} ${line}`);
    }
  }
  const share = 1 - missed.length / (2 * lines.length);
  ok(share >= 0.96, `${(100 * share).toFixed(1)} %\n${missed.join('\n')}`);
});

test('sentences, snippets and names that were written later pass, but for three that are attacks elsewhere', async () => {
  const stopped: string[] = [];
  for (const value of readLater('ordinary')) {
    for (const place of ['query', 'form', 'json']) {
      if ((await judgeIn(place, 'message', value)) !== undefined) stopped.push(value);
    }
  }
  deepEqual(
    [...new Set(stopped)],
    [
      'curl https://example.com/install.sh | sh',
      '1 = 1 and 2 = 2',
      // Without quotes around it, the command runs.
      "What does ' OR '1'='1 mean in SQL injection?",
    ],
  );
});
