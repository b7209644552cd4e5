import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CompiledZone } from '#firewall';
import { managedParts, replaceCoreRules } from '#managed';
import { requestFrom } from '#request';
import { readTestRules } from '../../src/rules/seclang/crs/testing.ts';
import { ScoreCounts } from '../../src/program/rehearsal/score-levels.ts';
import { comparingId, managedId, owaspId } from '../control/migrating-zone.ts';
import { createConfiguration } from '../detection/corpus/zone.ts';

before(() => replaceCoreRules(readTestRules()));
after(() => replaceCoreRules(undefined));

const overrides = {
  categories: [3, 4].map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
  rules: [{ id: comparingId, action: 'challenge', score_threshold: 30 }],
};

/** A zone that will execute these rulesets. */
function countScores(executed: readonly object[], queries: readonly string[]): ScoreCounts | undefined {
  const counts = ScoreCounts.create(new CompiledZone(createConfiguration('paid', executed), managedParts));
  for (const query of queries) {
    const view = requestFrom({ url: `https://shop.example/?q=${encodeURIComponent(query)}` });
    counts?.add(counts.zone.judge({ view }));
  }
  return counts;
}

test('ScoreCounts tells what each level and threshold stops, and what of it no detector confirms', () => {
  const odd = '<b>a--b</b> (1=1; {x})'; // 25 at level 2, 28 at level 3, 33 at level 4
  const signs = '<script> select 1 from x'; // 35, and 40 at level 4
  const attack = '<script>alert(1)</script>'; // 40, and a detector is sure
  const counts = countScores([{ id: owaspId, overrides }], [odd, signs, attack, 'shoes']);
  deepEqual(counts!.list(), {
    planned: { level: 2, threshold: 30, action: 'challenge' },
    thresholds: [25, 30, 40, 60],
    levels: [
      { level: 1, stopped: [2, 2, 1, 0], unconfirmed: [1, 1, 0, 0] },
      { level: 2, stopped: [3, 2, 1, 0], unconfirmed: [2, 1, 0, 0] },
      { level: 3, stopped: [3, 2, 1, 0], unconfirmed: [2, 1, 0, 0] },
      { level: 4, stopped: [3, 3, 2, 0], unconfirmed: [2, 2, 1, 0] },
    ],
  });
});

test('ScoreCounts leaves out what another rule stops, and has nothing to say of zones without scores', () => {
  const attack = "1' union select password from users-- <script>alert(1)</script>";
  const both = countScores([{ id: managedId }, { id: owaspId, overrides }], [attack]);
  deepEqual(
    both!.list().levels.map(({ stopped }) => stopped),
    Array.from({ length: 4 }, () => [0, 0, 0, 0]),
  );
  equal(countScores([{ id: managedId }], [attack]), undefined);
});
