import { deepEqual, equal } from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Authorizer } from '../guard/authorizer.ts';
import { Compiler } from './compiler.ts';
import type { Statement } from './statement.ts';
import { StatementCache } from './statement-cache.ts';
import { splitStatements } from '../text/statements.ts';

function compile(sql: string): Statement {
  const compiler = new Compiler(new DatabaseSync(':memory:'), new Authorizer(), { variableNumberMax: 100 });
  return compiler.compile(splitStatements(sql)[0]!, 0);
}

test('StatementCache drops the least recently used statement when there are too many', () => {
  const cache = new StatementCache({ entriesMax: 2 });
  const [first, second, third] = ['SELECT 1', 'SELECT 2', 'SELECT 3'].map(compile);
  cache.add(first!);
  cache.add(second!);
  equal(cache.get('SELECT 1'), first);
  cache.add(third!);
  deepEqual([cache.get('SELECT 1'), cache.get('SELECT 2'), cache.get('SELECT 3')], [first, undefined, third]);
});

test('StatementCache counts the bytes of the texts', () => {
  const cache = new StatementCache({ bytesMax: 20 });
  cache.add(compile('SELECT 1'));
  cache.add(compile('SELECT 2'));
  equal(cache.size, 2);
  cache.add(compile("SELECT 'é'"));
  deepEqual([cache.size, cache.get('SELECT 1')], [2, undefined]);
  cache.add(compile("SELECT 'longer than all'"));
  equal(cache.size, 0);
});

test('StatementCache gives a statement away and takes it back, if its place is still free', () => {
  const cache = new StatementCache();
  const [first, second] = [compile('SELECT 1'), compile('SELECT 1')];
  cache.add(first);
  cache.remove(first);
  equal(cache.size, 0);
  cache.add(second);
  cache.add(first);
  equal(cache.get('SELECT 1'), second);
  cache.remove(first);
  equal(cache.size, 1, 'the one that is not in it cannot be taken out');
  cache.clear();
  equal(cache.size, 0);
});
