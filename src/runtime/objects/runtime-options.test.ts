import { throws } from 'node:assert/strict';
import { test } from 'node:test';
import { checkOptions } from './runtime-options.ts';
import { resolveLimits } from './limits.ts';

test('checkOptions names the option that is wrong and what it must be', () => {
  const good = { directory: 'd', classes: {} };
  const cases: [unknown, RegExp][] = [
    [undefined, /^TypeError: options must be an object such as \{ directory, classes \}: undefined$/],
    [{}, /^TypeError: directory must be a path: undefined$/],
    [{ directory: 'd' }, /^TypeError: classes must be an object such as .*: undefined$/],
    [{ ...good, clock: {} }, /^TypeError: clock must be a VirtualClock: an object$/],
    [{ ...good, durability: 'fast' }, /^TypeError: durability must be 'disk' or 'os': fast$/],
    [{ ...good, limits: 3 }, /^TypeError: limits must be an object: 3$/],
    [{ ...good, log: 3 }, /^TypeError: log must be a function: 3$/],
    [{ ...good, retentionMs: 'x' }, /^RangeError: retentionMs must be a number of milliseconds.*: x$/],
    [{ ...good, idleMs: -1 }, /^RangeError: idleMs must be a number of milliseconds.*: -1$/],
  ];
  for (const [options, message] of cases) throws(() => checkOptions(options as typeof good), message);
  checkOptions(good);
});

test('resolveLimits refuses a limit that does not exist', () => {
  const misspelt = { keyBytesMx: 1 } as object;
  throws(
    () => resolveLimits(misspelt),
    /^TypeError: there is no limit limits\.keyBytesMx: did you mean keyBytesMax\?$/,
  );
});
