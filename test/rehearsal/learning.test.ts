/** A rehearsal of learning: what a zone would learn from a recording, and what that would change. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTraffic, rehearseLearning } from '#rehearsal';

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-learning-'));
after(() => rmSync(directory, { recursive: true }));

/** 300 requests of 30 networks within this many hours, then an attack that is only likely, and one that failed. */
function writeLog(name: string, hours: number): string {
  const start = Date.UTC(2026, 10, 1);
  const line = (index: number, network: number, path: string, status = 200): string =>
    JSON.stringify({
      // In bursts: a batch for each.
      time: new Date(start + (Math.floor(index / 30) * hours * 3_600_000) / 10).toISOString(),
      method: 'GET',
      url: `https://corpus.invalid${path}`,
      ip: `10.0.${network}.5`,
      status,
    });
  const lines = Array.from({ length: 301 }, (_, index) =>
    line(index, index % 30, `/product/${index}?id=${index}`),
  );
  lines.push(line(301, 77, `/product/4?id=${encodeURIComponent("'; select 1")}`));
  lines.push(line(302, 78, '/product/5?debug=1', 500));
  const file = join(directory, name);
  writeFileSync(file, `${lines.join('\n')}\nno request\n`);
  return file;
}

async function rehearse(file: string, countsSoon = false) {
  const traffic = await openTraffic({ file, zoneName: 'corpus.invalid' });
  return await rehearseLearning({ traffic, plan: 'pro', countsSoon });
}

test('rehearseLearning learns from a recording as a zone does, and lists what would be blocked', async () => {
  const { values, changes, ...counts } = await rehearse(writeLog('days.jsonl', 30));
  deepEqual(counts, { requests: 303, unreadable: 1, learnedFrom: 301, known: 1, raised: 1, lowered: 0 });
  deepEqual(
    values.map(({ path, name, networks, known }) => [path, name, networks, known]),
    [['/product/{number}', 'id', 30, true]],
  );
  equal(changes[0]!.request, `GET /product/4?id='%3B%20select%201`);
  match(
    changes[0]!.note,
    /numbers, up to 4 characters, in \d{3} requests from about \d\d networks since 2026-11-01/,
  );
});

test('rehearseLearning waits a day, unless it is told to count at once', async () => {
  const file = writeLog('hours.jsonl', 3);
  const { known, raised } = await rehearse(file);
  deepEqual([known, raised], [0, 0]);
  const soon = await rehearse(file, true);
  deepEqual([soon.known, soon.raised], [1, 1]);
});
