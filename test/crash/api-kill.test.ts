import { ok } from 'node:assert/strict';
import { test } from 'node:test';
import { apiKillLoop } from './api-kill-loop.ts';

/** `API_KILLS=200 API_SEED=7 node --test test/crash/api-kill.test.ts` runs longer, with another seed. */
const rounds = Number(process.env['API_KILLS'] ?? 3);
const seed = Number(process.env['API_SEED'] ?? 1);

test('the API loses nothing acknowledged, and leaves no zone unprotected, when its server is killed', async () => {
  const { acknowledged, checked, watched, complete } = await apiKillLoop({ seed, rounds });
  ok(acknowledged > 5 * rounds, `only ${acknowledged} calls were acknowledged`);
  ok(checked >= 4 * rounds, `zones were looked at ${checked} times`);
  ok(watched > 5 * rounds, `zones were watched ${watched} times`);
  ok(complete > 0, 'no zone has migrated');
});
