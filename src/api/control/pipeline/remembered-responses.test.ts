import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { rememberedCharactersMax } from '../context/limits.ts';
import { RememberedResponses } from './remembered-responses.ts';

const question = (id: string, directory = '1.0') =>
  ({
    operation: 'filters.get',
    input: { path: { filter_id: id }, query: {}, body: undefined },
    directory,
  }) as never;

function counted(body = 'text', status = 200) {
  let asked = 0;
  return {
    ask: async () => {
      asked++;
      return { status, body };
    },
    get asked() {
      return asked;
    },
  };
}

test('RememberedResponses asks once until the object is written to or the directory changes', async () => {
  const remembered = new RememberedResponses();
  const source = counted();
  for (let turn = 0; turn < 3; turn++) {
    deepEqual(await remembered.answer('zone', question('a'), source.ask), { status: 200, body: 'text' });
  }
  equal(source.asked, 1);
  remembered.invalidate('other');
  await remembered.answer('zone', question('a'), source.ask);
  equal(source.asked, 1);
  remembered.invalidate('zone');
  await remembered.answer('zone', question('a'), source.ask);
  await remembered.answer('zone', question('a', '2.0'), source.ask);
  await remembered.answer('other', question('a'), source.ask);
  equal(source.asked, 4);
});

test('RememberedResponses never returns a response that was in progress when the object was written to', async () => {
  const remembered = new RememberedResponses();
  const { promise, resolve } = Promise.withResolvers<{ status: number; body: string }>();
  const early = remembered.answer('zone', question('a'), () => promise);
  remembered.invalidate('zone');
  resolve({ status: 200, body: 'before' });
  equal((await early).body, 'before');
  const late = await remembered.answer('zone', question('a'), async () => ({ status: 200, body: 'after' }));
  equal(late.body, 'after');
});

test('RememberedResponses keeps only successes, and drops the oldest when it is full', async () => {
  const remembered = new RememberedResponses();
  const failing = counted('{}', 404);
  for (let turn = 0; turn < 2; turn++) await remembered.answer('zone', question('a'), failing.ask);
  equal(failing.asked, 2);
  const large = counted('x'.repeat(rememberedCharactersMax / 4));
  for (const id of ['a', 'b', 'c']) await remembered.answer('zone', question(id), large.ask);
  await remembered.answer('zone', question('a'), large.ask);
  equal(large.asked, 3);
  await remembered.answer('zone', question('d'), large.ask);
  await remembered.answer('zone', question('a'), large.ask);
  equal(large.asked, 4);
  await remembered.answer('zone', question('b'), large.ask);
  equal(large.asked, 5);
});
