import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { toCallerError } from '#rpc';
import { ConfigError } from '../config/config-error.ts';
import { describeError, isThrownByWorker } from './describe-error.ts';
import { ReportedErrors } from './reported-errors.ts';

function withStack(head: string, ...frames: string[]): Error {
  const error = new Error('overwritten');
  error.stack = [head, ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

const here = `file://${join(process.cwd(), 'app')}`;
const own = new URL('../worker.ts', import.meta.url).href;

test('describeError shows the frames of the Worker by path, and none of ours', () => {
  const error = withStack(
    'Error: two\nlines',
    `helper (${here}/helper.ts?gatehouse=3:4:9)`,
    'Array.map (<anonymous>)',
    `async Room.fail (file:///elsewhere/my%20app/room.ts?gatehouse=3:6:5)`,
    `${here}/index.ts?gatehouse=3:1:2`,
    `Worker.fetch (${own}:60:56)`,
    'AsyncLocalStorage.run (node:internal/async_local_storage/async_context_frame:66:14)',
    'mapped (/elsewhere/src/original.ts:7:1)',
  );
  equal(
    describeError(error),
    `Error: two
lines
    at helper (app/helper.ts:4:9)
    at async Room.fail (/elsewhere/my app/room.ts:6:5)
    at app/index.ts:1:2
    at mapped (/elsewhere/src/original.ts:7:1)`,
  );
  equal(isThrownByWorker(error), true);
});

test('describeError keeps the frames of an error that is not the Worker', () => {
  const error = withStack('TypeError: ours', `Worker.fetch (${own}:60:56)`);
  equal(describeError(error), error.stack);
  equal(isThrownByWorker(error), false);
});

test('describeError needs no frames for what its code explains, unless the Worker is on the stack', () => {
  const locked = Object.assign(withStack('Error: locked', `open (${own}:60:56)`), {
    code: 'DIRECTORY_LOCKED',
    message: 'another process owns the directory',
  });
  equal(describeError(locked), 'another process owns the directory');
  const missing = withStack('Error: ENOENT', `a (${here}/a.ts?gatehouse=1:1:1)`);
  match(describeError(Object.assign(missing, { code: 'ENOENT' })), /^Error: ENOENT\n {4}at a /);
  match(describeError(Object.assign(withStack('E', `f (${own}:1:1)`), { code: 'ERR_X' })), /^E\n {4}at f /);
});

test('describeError follows causes, and takes whatever was thrown', () => {
  const cause = withStack('Error: inner', `a (${here}/a.ts?gatehouse=1:1:1)`);
  const outer = withStack('Error: outer', `b (${here}/b.ts?gatehouse=1:2:2)`);
  outer.cause = cause;
  match(
    describeError(outer),
    /^Error: outer\n {4}at b \(app\/b\.ts:2:2\)\ncaused by: Error: inner\n {4}at a /,
  );
  cause.cause = outer;
  equal(describeError(outer).split('caused by').length, 6);
  deepEqual(['text', undefined, null, { a: 1 }, 7n].map(describeError), [
    'thrown: text',
    'thrown: undefined',
    'thrown: null',
    'thrown: [object Object]',
    'thrown: 7',
  ]);
  equal(describeError(new ConfigError('no main')), 'no main');
  const syntax = withStack(
    `${here}/x.js?gatehouse=1:3\nlet let\n    ^\n\nSyntaxError: bad`,
    'y (node:vm:1:1)',
  );
  match(describeError(syntax), /^app\/x\.js:3\nlet let\n/);
});

test('ReportedErrors knows an error again as a cause, as a copy for a caller, and in a circle', () => {
  const reported = new ReportedErrors();
  const error = new Error('x');
  equal(reported.isNew(error), true);
  equal(reported.isNew(error), false);
  equal(reported.isNew(new Error('wrapped', { cause: error })), false);
  equal(reported.isNew(toCallerError(toCallerError(error))), false);
  const copied = new Error('y');
  equal(reported.isNew(toCallerError(copied)), true);
  equal(reported.isNew(copied), false);
  const circle = new Error('z');
  circle.cause = circle;
  deepEqual([reported.isNew(circle), reported.isNew('text'), reported.isNew('text')], [true, true, true]);
});
