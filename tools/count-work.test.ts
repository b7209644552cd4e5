import { checkLinear, countWork, countWorkOf } from './count-work.ts';
import { equal, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';

function visit(rounds: number, each: () => void): void {
  for (let round = 0; round < rounds; round++) each();
}

test('countWork gives the same number every time', () => {
  const once = countWork(() => visit(1_000, () => {}));
  equal(
    countWork(() => visit(1_000, () => {})),
    once,
  );
  ok(once >= 2_000 && once < 2_010, String(once));
});

test('countWorkOf counts until the promise is settled', async () => {
  const work = await countWorkOf(async () => {
    await Promise.resolve();
    visit(1_000, () => {});
  });
  ok(work >= 2_000, String(work));
});

test('checkLinear takes what grows as fast as its size, and nothing that grows faster', () => {
  checkLinear('linear', (size) => () => visit(size, () => {}), [1_000, 8_000]);
  throws(
    () => checkLinear('quadratic', (size) => () => visit(size, () => visit(size, () => {})), [100, 800]),
    /quadratic: \d+ steps for 100, \d+ for 800/,
  );
});
