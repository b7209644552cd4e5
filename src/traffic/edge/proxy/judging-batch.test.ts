import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { type BatchedRequest, JudgingBatch } from './judging-batch.ts';

class Turns {
  readonly said: string[] = [];
  readonly ends: (() => void)[] = [];
  readonly batch = new JudgingBatch((callback) => this.ends.push(callback));

  add(name: string, onJudge = (): void => {}): void {
    const say = (what: string): void => void this.said.push(`${what} ${name}`);
    const request: BatchedRequest = {
      judge() {
        say('judge');
        onJudge();
      },
      act: () => say('act on'),
    };
    this.batch.add(request);
  }
}

test('JudgingBatch judges what arrived in one turn at its end, in order, and acts on it behind', () => {
  const turns = new Turns();
  turns.add('a');
  turns.add('b');
  deepEqual([turns.said, turns.ends.length], [[], 1]);
  turns.ends[0]!();
  deepEqual(turns.said, ['judge a', 'judge b', 'act on a', 'act on b']);
});

test('JudgingBatch leaves what arrives while it judges to the next turn', () => {
  const turns = new Turns();
  turns.add('a', () => turns.add('b'));
  turns.ends[0]!();
  deepEqual([turns.said, turns.ends.length], [['judge a', 'act on a'], 2]);
  turns.ends[1]!();
  deepEqual(turns.said.slice(2), ['judge b', 'act on b']);
});
