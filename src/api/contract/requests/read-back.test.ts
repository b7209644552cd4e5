import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { listOf, named, object, optional, type Problem, record, string, text } from '#shapes';
import { isReadBack } from './read-back.ts';

const origin = named('Origin', record({ address: string, disabled_at: optional(string) }));
const pool = named('Pool', record({ id: string, name: string, origins: listOf(origin) }));

test('isReadBack excuses fields of the answer at their place, in a list or alone, and no other problem', () => {
  const sent = object({ name: text(), origins: optional(text()) });
  const problemsOf = (body: unknown): Problem[] => {
    const problems: Problem[] = [];
    sent.read(body, '', problems);
    return problems;
  };
  const excused = (body: unknown, schema = pool.schema): boolean[] =>
    problemsOf(body).map((problem) => isReadBack(problem, schema));
  deepEqual(excused({ name: 'a', id: 'x' }), [true]);
  deepEqual(excused({ name: 'a', id: 'x' }, listOf(pool).schema), [true]);
  deepEqual(excused({ name: 'a', idd: 'x', zone: 'y' }), [false, false]);
  deepEqual(excused({ name: 5 }), [false]);
  const at = (pointer: string): boolean =>
    isReadBack({ pointer, message: '', isUnknownField: true }, pool.schema);
  deepEqual(['/origins/0/disabled_at', '/items/3/id', '/disabled_at', '/origins/0/id', '/name/id'].map(at), [
    true,
    true,
    false,
    false,
    false,
  ]);
});
