import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, type Log, type LogOptions } from './log.ts';

function captureLog(options: Pick<LogOptions, 'level' | 'format'>): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return { log: createLog({ ...options, write: (line) => lines.push(line), now: () => 0 }), lines };
}

test('createLog writes JSON lines with time, level, message and fields', () => {
  const { log, lines } = captureLog({ level: 'info', format: 'json' });
  log.info('ready', { port: 8787 });
  log.debug('not this');
  assert.deepEqual(lines, [
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"ready","port":8787}\n',
  ]);
});

test('createLog writes errors with their causes, and other thrown values', () => {
  const { log, lines } = captureLog({ level: 'error', format: 'json' });
  log.error('failed', { error: new Error('outer', { cause: new TypeError('inner') }), request: 'ab' });
  log.error('failed', { error: 'a word' });
  log.warn('not this');
  const [first, second] = lines.map((line) => JSON.parse(line));
  assert.equal(first.error.message, 'outer');
  assert.match(first.error.stack, /log\.test\.ts/);
  assert.equal(first.error.cause.name, 'TypeError');
  assert.equal(first.request, 'ab');
  assert.deepEqual(second.error, { message: 'a word' });
});

test('createLog writes text that no value can break out of', () => {
  const { log, lines } = captureLog({ level: 'debug', format: 'text' });
  log.debug('line\nbreak \u001b[31m', {
    path: '/a b\n2026',
    status: 404,
    plain: 'x',
    mark: '\u2028',
    no: undefined,
  });
  assert.deepEqual(lines, [
    '1970-01-01T00:00:00.000Z debug line\\nbreak \\x1b[31m path="/a b\\n2026" status=404 plain=x mark="\\x2028"\n',
  ]);
});

test('createLog indents the stack of an error in text', () => {
  const { log, lines } = captureLog({ level: 'debug', format: 'text' });
  const error = new Error('first\n1970-01-01T00:00:00.000Z info forged');
  log.error('failed', { error });
  const [head, ...stack] = lines[0]!.trimEnd().split('\n');
  assert.equal(head, '1970-01-01T00:00:00.000Z error failed');
  assert.ok(stack.length > 2 && stack.every((line) => line.startsWith('    ')));
});
