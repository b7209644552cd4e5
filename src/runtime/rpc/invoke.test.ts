import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RpcTarget, invokeMethod } from '#rpc';

class Door extends RpcTarget {
  field = 5;
  #width = 2;
  get width(): number {
    return this.#width;
  }
  set width(value: number) {
    this.#width = value;
  }
  knock(times: number): string {
    return 'knock '.repeat(times) + this.#width;
  }
  get lock(): object {
    return { open: true, turn: (by: number) => by * 2, parts: [1, 2], deep: { er: 1 } };
  }
  async opened(): Promise<Door> {
    return this;
  }
}
const reserved = new Set(['alarm', 'constructor']);
class Entry {
  field = () => 1;
  alarm(): void {}
  _hidden(): string {
    return 'seen';
  }
  get tripled(): (n: number) => number {
    return (n) => n * 3;
  }
}

const notFound = (name: string): object => ({
  name: 'TypeError',
  message: `The RPC receiver does not implement the method "${name}".`,
});

test('invokeMethod calls methods and reads getters of a class, along a path', async () => {
  const door = new Door();
  assert.equal(await invokeMethod(door, ['knock'], [2]), 'knock knock 2');
  assert.equal(await invokeMethod(door, ['width'], undefined), 2);
  assert.equal(await invokeMethod(door, ['lock', 'turn'], [4]), 8);
  assert.equal(await invokeMethod(door, ['lock', 'deep', 'er'], undefined), 1);
  const entry = new Entry();
  assert.equal(await invokeMethod(entry, ['_hidden'], [], { reserved }), 'seen');
  assert.equal(await invokeMethod(entry, ['tripled'], [2], { reserved }), 6);
  assert.equal(await invokeMethod((a: number) => a + 1, [], [1]), 2);
  assert.equal(await invokeMethod({ f: Object.assign(() => 1, { extra: 3 }) }, ['f', 'extra'], undefined), 3);
});

test('invokeMethod does not reach fields, inherited names of Object, or into other kinds of value', async () => {
  const door = new Door();
  for (const name of [
    'field',
    'missing',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__',
    'valueOf',
  ]) {
    await assert.rejects(invokeMethod(door, [name], []), notFound(name));
    await assert.rejects(invokeMethod(door, [name], undefined), notFound(name));
    await assert.rejects(invokeMethod({ a: 1 }, [name], undefined), notFound(name));
    if (name !== 'constructor')
      await assert.rejects(invokeMethod(new Entry(), [name], [], { reserved }), notFound(name));
  }
  await assert.rejects(
    invokeMethod(() => 1, ['call'], []),
    notFound('call'),
  );
  await assert.rejects(invokeMethod(undefined, ['x'], undefined), notFound('x'));
  await assert.rejects(invokeMethod(new Map(), ['size'], undefined), notFound('size'));
  // The error names the part of the path that was not found.
  await assert.rejects(invokeMethod(door, ['lock', 'parts', 'length'], undefined), notFound('parts'));
  await assert.rejects(invokeMethod({ text: 'x' }, ['text', 'length'], undefined), notFound('text'));
  await assert.rejects(invokeMethod(door, ['lock', 'missing', 'x'], undefined), notFound('missing'));
});

test('invokeMethod refuses to call what is not a function, and names an entry point reserves', async () => {
  const notFunction = (name: string): object => ({
    name: 'TypeError',
    message: `"${name}" is not a function.`,
  });
  await assert.rejects(invokeMethod(new Door(), ['width'], []), notFunction('width'));
  await assert.rejects(invokeMethod({}, [], []), notFunction('(this)'));
  for (const name of reserved) {
    await assert.rejects(invokeMethod(new Entry(), [name], [], { reserved }), {
      name: 'TypeError',
      message: `'${name}' is a reserved method and cannot be called over RPC.`,
    });
  }
  await assert.rejects(invokeMethod(new Door(), ['alarm'], []), notFound('alarm'));
});
