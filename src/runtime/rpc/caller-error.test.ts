import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCallerError, useErrorSettings } from '#rpc';

class Custom extends Error {
  override readonly name = 'Custom';
}
class Unnamed extends TypeError {}

test('toCallerError keeps the classes of the language and puts other names into the message', () => {
  for (const [thrown, constructor, message] of [
    [new TypeError('t'), TypeError, 't'],
    [new Unnamed('u'), TypeError, 'u'],
    [Object.assign(new Error('r'), { name: 'RangeError' }), RangeError, 'r'],
    [new Custom('c'), Error, 'Custom: c'],
    [new Custom(), Error, 'Custom'],
    [new Error(''), Error, ''],
    [new Error('TypeError: x'), Error, 'TypeError: x'],
    [new AggregateError([1], 'a'), AggregateError, 'a'],
    ['text', Error, 'text'],
    [5, Error, '5'],
    [undefined, Error, 'undefined'],
    [null, Error, 'null'],
    [Symbol('x'), Error, 'Symbol(x)'],
    [{ a: 1 }, Error, '#<Object>'],
    [Object.create(null), Error, '#<Object>'],
    [() => 1, Error, '() => 1'],
  ] as const) {
    const error = toCallerError(thrown);
    assert.equal(Object.getPrototypeOf(error), constructor.prototype);
    assert.equal(error.message, message);
    assert.deepEqual(Object.entries(error), [['remote', true]]);
  }
  const aborted = toCallerError(new DOMException('d', 'AbortError')) as DOMException & { remote: boolean };
  assert.deepEqual([aborted.name, aborted.code, aborted.remote], ['AbortError', 20, true]);
});

test('toCallerError keeps what the thrown error says about retrying, and nothing else', () => {
  const flags = (own: object, given?: Parameters<typeof toCallerError>[1]): object => {
    const thrown = Object.assign(new Error('x', { cause: 1 }), own);
    return Object.fromEntries(Object.entries(toCallerError(thrown, given)));
  };
  assert.deepEqual(flags({ retryable: 'yes', extra: 1, remote: false }), { remote: true, retryable: true });
  assert.deepEqual(flags({ retryable: true, overloaded: true }), { remote: true, overloaded: true });
  assert.deepEqual(flags({ durableObjectReset: true }), { remote: true });
  assert.deepEqual(flags({}, { durableObjectReset: true, overloaded: true }), {
    durableObjectReset: true,
    overloaded: true,
  });
  assert.equal('cause' in toCallerError(new Error('x', { cause: 1 })), false);
});

test('toCallerError keeps the frames of the stack under its own first line', () => {
  const thrown = new Custom('several\n    lines');
  const error = toCallerError(thrown);
  assert.match(error.stack!, /^Error: Custom: several\n {4}lines\n {4}at .*caller-error\.test\.ts/);
  Object.assign(thrown, { stack: 5 });
  assert.equal(toCallerError(thrown).stack, 'Error: Custom: several\n    lines');
});

test('toCallerError keeps names and properties of errors where that is wanted, or none if one cannot be copied', (t) => {
  useErrorSettings({ keepsProperties: true });
  t.after(() => useErrorSettings({ keepsProperties: false }));
  const shown = (thrown: unknown): unknown[] => {
    const error = toCallerError(thrown);
    const { message } = error;
    return [
      error.constructor,
      error.name,
      message,
      Object.fromEntries(Object.entries(error)),
      error.stack?.split('\n')[0],
    ];
  };
  const custom = Object.assign(new Custom('c', { cause: 5 }), { code: 'E', list: [new Date(1)] });
  const whole = { name: 'Custom', cause: 5, code: 'E', list: [new Date(1)], remote: true };
  assert.deepEqual(shown(custom), [Error, 'Custom', 'c', whole, 'Custom: c']);
  const known = Object.assign(new Unnamed('u'), { status: 404 });
  assert.deepEqual(shown(known), [
    TypeError,
    'TypeError',
    'u',
    { status: 404, remote: true },
    'TypeError: u',
  ]);
  const uncopied = Object.assign(new Error('f'), { code: 'E', run() {} });
  assert.deepEqual(shown(uncopied), [Error, 'Error', 'f', { remote: true }, 'Error: f']);
  assert.deepEqual(shown('text'), [Error, 'Error', 'text', { remote: true }, 'Error: text']);
  assert.deepEqual(Object.entries(toCallerError(custom, { retryable: true })), [['retryable', true]]);
});
