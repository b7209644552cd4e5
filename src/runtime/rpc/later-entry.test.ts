import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { Capability, createStub } from './capability.ts';
import { LaterEntry } from './later-entry.ts';
import type { LinkEntry } from './link/link.ts';
import { entryOf } from './link/testing.ts';
import { outside } from './side.ts';
import { RpcTarget } from './target.ts';

class Room extends RpcTarget {
  readonly #heard: unknown[] = [];

  hear(...words: unknown[]): number {
    this.#heard.push(...words);
    return this.#heard.length;
  }

  all(): unknown[] {
    return this.#heard;
  }

  self(): Room {
    return this;
  }
}

function open(): {
  readonly later: LaterEntry;
  readonly find: (entry: LinkEntry) => void;
  readonly room: Room;
} {
  const { promise, resolve } = Promise.withResolvers<LinkEntry>();
  return { later: new LaterEntry(promise), find: resolve, room: new Room() };
}

test('LaterEntry makes calls in order once it is found, with the arguments as they were', async () => {
  const { later, find, room } = open();
  const stub = createStub(later, outside, { own: {} });
  const word = { text: 'first' };
  const answers = [stub.hear(word), stub.hear('second'), stub.self().hear('third')];
  word.text = 'changed';
  equal(later.isWaiting, true);
  find(entryOf(new Capability({ owner: outside, target: () => room })));
  deepEqual(await Promise.all(answers), [1, 2, 3]);
  equal(later.isWaiting, false);
  deepEqual(await stub.all(), [{ text: 'first' }, 'second', 'third']);
});

test('LaterEntry calls back what it was passed, and releases it', async () => {
  const { later, find } = open();
  class Caller extends RpcTarget {
    async ask(question: (word: string) => Promise<string>): Promise<string> {
      return await question('here');
    }
  }
  const stub = createStub(later, outside, { own: {} });
  const answer = stub.ask((word: string) => `heard ${word}`);
  find(entryOf(new Capability({ owner: outside, target: () => new Caller() })));
  equal(await answer, 'heard here');
});

test('LaterEntry rejects every call if it is not found', async () => {
  const later = new LaterEntry(Promise.reject(new Error('nowhere')));
  const stub = createStub(later, outside, { own: {} });
  await rejects(async () => await stub.hear('a'), /nowhere/);
  await rejects(later.fetch(outside, new Request('http://object/')), /nowhere/);
});
