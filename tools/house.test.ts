import { deepEqual } from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('..', import.meta.url);
/** Names without a meaning. */
const emptyNames = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'shared', 'misc', 'index']);

const sources = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('testdata'))
  .map((name) => ({ name, text: readFileSync(new URL(`src/${name}`, root), 'utf8') }));

function offenders(isWrong: (source: { name: string; text: string }) => boolean): string[] {
  return sources.filter(isWrong).map(({ name }) => name);
}

test('house: every name says what is inside', () => {
  const isPlain = (part: string): boolean => /^[a-z0-9][a-z0-9-_.]*$/.test(part);
  const isEmpty = (part: string): boolean => emptyNames.has(part.replace(/\.tsx?$/, ''));
  deepEqual(
    offenders(({ name }) => name.split('/').some((part) => !isPlain(part) || isEmpty(part))),
    [],
  );
});

test('house: nothing is exported by default, skipped, or left to be done', () => {
  // Assembled from parts, so that this file does not match itself.
  const forbidden = [
    /^export default /m,
    /\btest\.(?:skip|todo|only)\(/,
    new RegExp(`\\b(?:TO${'DO'}|FIX${'ME'})\\b`),
  ];
  deepEqual(
    offenders(({ text }) => forbidden.some((pattern) => pattern.test(text))),
    [],
  );
});

test('house: every door opens with what its room is', () => {
  deepEqual(
    offenders(({ name, text }) => name.split('/').length === 2 && !text.startsWith('/**')),
    [],
  );
});

/** Files of tests that store or compare the time of the machine, and why: never to measure how long something took. */
const clockReaders: Readonly<Record<string, string>> = {
  'src/traffic/edge/challenge/testing.ts': 'the page in a browser has a clock',
  'test/kill-steps/commands/directory.ts': 'gatehouse restore goes back to a moment before a change',
  'test/fuzz/fuzz-thread.ts': 'npm run verify -- fuzz ends after some minutes',
  'test/fuzz/api/fuzz-api.ts': 'npm run verify -- fuzz:api ends after some minutes',
  'test/neighbours/bystanders.ts': 'npm run verify -- neighbours promises times',
  'test/hostile/hostile.test.ts': 'npm run verify -- hostile ends after some minutes',
  'src/program/server/edge/certificates/zone-certificates.test.ts': 'certificates are valid from now on',
  'test/dashboard/walk/still-clock.ts': 'it is a clock, which nearly stands still',
  'test/package/stopwatch.ts': 'measures, on demand',
  'test/wrangler/object-kills.ts':
    'npm run verify -- kills:deploy kills at a moment of what takes so long without a kill',
  'test/dashboard/activity-log.ts': 'events that happened a while ago',
  'test/edge/actions.test.ts': 'an event happens after its request was sent and before it is read',
  'src/runtime/simulator/faults.test.ts': 'inside an object it is the virtual clock',
  'src/runtime/simulator/replay.test.ts': 'inside an object it is the virtual clock',
  'test/objects/lifecycle.test.ts': 'inside an object it is the virtual clock',
  'test/sdk/account.test.ts': 'a search begins a minute ago',
  'test/everything/make-zone.ts': 'certificates are valid from now on, edges report of the last minutes',
  'test/server/backup.test.ts': 'a restore goes back to a moment between two writes',
};

test('house: no test times anything', () => {
  const now = String.raw`(?:Date\.now\(\)|new Date\(\))`;
  const clocks = [
    /\b(?:performance\.now|hrtime|process\.uptime|console\.time)\b/,
    new RegExp(String.raw`\b(?:const|let) \w+ = ${now}`),
    new RegExp(String.raw`${now}\S*\s*[-<>]|[-<>]=?\s*${now}`),
  ];
  const readers = ['src', 'test', 'tools'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((name) => /(?:\.test|\/testing)\.ts$|^test\/.*\.ts$/.test(name))
      .filter((name) => {
        const text = readFileSync(new URL(name, root), 'utf8');
        return name !== 'tools/house.test.ts' && clocks.some((clock) => clock.test(text));
      }),
  );
  // Count steps with tools/count-work.ts, wait with test/eventually.ts, or use a virtual clock.
  deepEqual(readers.toSorted(), Object.keys(clockReaders).toSorted());
});
