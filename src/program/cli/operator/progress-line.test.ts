import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressLine } from './progress-line.ts';

function watch(isTTY: boolean) {
  const written: string[] = [];
  const time = { now: 0 };
  const line = new ProgressLine({ isTTY, write: (text) => written.push(text) }, () => time.now);
  return { line, written, time };
}

test('ProgressLine writes a line every five seconds where there is no terminal, with sizes and the time left', () => {
  const { line, written, time } = watch(false);
  for (; time.now <= 20_000; time.now += 500) {
    line.show({ step: 'copying', done: time.now * 100_000, total: 5e9 });
  }
  line[Symbol.dispose]();
  deepEqual(written, [
    'copying: 500.0 MB of 5.0 GB (10 %), 45 s left\n',
    'copying: 1.0 GB of 5.0 GB (20 %), 40 s left\n',
    'copying: 1.5 GB of 5.0 GB (30 %), 35 s left\n',
    'copying: 2.0 GB of 5.0 GB (40 %), 30 s left\n',
  ]);
});

test('ProgressLine writes nothing about work that is short', () => {
  const { line, written, time } = watch(false);
  for (; time.now < 4_900; time.now += 100) line.show({ step: 'copying', done: time.now, total: 5_000 });
  line[Symbol.dispose]();
  deepEqual(written, []);
});

test('ProgressLine writes over one line of a terminal and removes it at the end', () => {
  const { line, written, time } = watch(true);
  time.now = 150;
  line.show({ step: 'reading', done: 999, total: 2_000 });
  line.show({ step: 'reading', done: 1_000, total: 2_000 });
  time.now = 7_300_000;
  line.show({ step: 'reading', done: 1_500, total: 2_000 });
  line.show({ step: 'checking', done: 3, total: undefined });
  time.now = 7_300_100;
  line.show({ step: 'checking', done: 4, total: undefined });
  line[Symbol.dispose]();
  deepEqual(written, [
    '\r\u001b[2Kreading: 999 B of 2.0 kB (49 %)',
    '\r\u001b[2Kreading: 1.5 kB of 2.0 kB (75 %), 40 min 33 s left',
    '\r\u001b[2Kchecking: 4',
    '\r\u001b[2K',
  ]);
});
