import { ok } from 'node:assert/strict';
import { test } from 'node:test';
import { bookNames } from './library.ts';
import { killLoop } from './kill-loop.ts';

test('Runtime loses nothing acknowledged and shows nothing half when its process is killed, again and again', async () => {
  const rounds = 10;
  const { acknowledged, checked } = await killLoop({ seed: 1, rounds });
  ok(acknowledged > 10 * rounds, `only ${acknowledged} edits were acknowledged`);
  ok(checked >= bookNames.length * (rounds / 2), `only ${checked} books were looked at`);
});

test('ObjectHosts loses nothing acknowledged when hosts, or the process that has started them, are killed', async () => {
  const { acknowledged, checked, lost } = await killLoop({ seed: 2, rounds: 3, hosts: 2, linesMax: 300 });
  ok(acknowledged > 30, `only ${acknowledged} edits were acknowledged`);
  ok(checked > bookNames.length && lost > 0, `${checked} books were looked at, ${lost} lost their host`);
});
