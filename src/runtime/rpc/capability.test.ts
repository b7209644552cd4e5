import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Capability, RpcStub, RpcTarget, type Side, type Stub, createStub, outside } from '#rpc';
import { encodeValue } from '#values';
import { entryOf, openLinks } from './link/testing.ts';

// A property or promise is callable, so `assert.rejects` would call it.
const rejects = (thenable: Stub, expected: object): Promise<void> =>
  assert.rejects(Promise.resolve(thenable), expected);

/** A side that records its `enter` and `reach` calls. */
class LoggedSide implements Side {
  readonly log: string[] = [];
  enter<T>(body: () => Promise<T>): Promise<T> {
    this.log.push('enter');
    return body();
  }
  reach<T>(message: () => Promise<T>): Promise<T> {
    this.log.push('reach');
    return message();
  }
}

class Thing extends RpcTarget {
  static disposals = 0;
  readonly #n: number;
  constructor(n: number) {
    super();
    this.#n = n;
  }
  hi(text: string): string {
    return `hi ${text} ${this.#n}`;
  }
  get next(): Thing {
    return new Thing(this.#n + 1);
  }
  async later(): Promise<Thing> {
    await Promise.resolve();
    return new Thing(this.#n + 10);
  }
  [Symbol.dispose](): void {
    Thing.disposals++;
  }
}

class Home {
  readonly order: number[] = [];
  held: Stub;
  closed = 0;
  get size(): number {
    return 5;
  }
  echo(value: unknown): unknown {
    return value;
  }
  note(n: number): number {
    this.order.push(n);
    return n;
  }
  thing(n: number): Thing {
    return new Thing(n);
  }
  things(): object {
    return { list: [new Thing(1), new Thing(2)], sum: (a: number, b: number) => a + b, name: 'things' };
  }
  async apply(f: (...args: unknown[]) => unknown, ...args: unknown[]): Promise<unknown> {
    return await f(...args);
  }
  keep(stub: Stub): void {
    this.held = stub.dup();
  }
  resource(): object {
    return { open: true, [Symbol.dispose]: () => this.closed++ };
  }
  fail(): never {
    throw Object.assign(new RangeError('no'), { extra: 1 });
  }
  instance(): object {
    return new Home();
  }
}

interface Scene {
  readonly home: Home;
  readonly owner: LoggedSide;
  readonly holder: LoggedSide;
  readonly stub: Stub;
  /** Resolves when the owner has been notified of everything that was disposed of. */
  settle(): Promise<unknown>;
}

function setUp(): Scene {
  Thing.disposals = 0;
  const home = new Home();
  const owner = new LoggedSide();
  const holder = new LoggedSide();
  const capability = new Capability({ owner, target: () => home, reserved: new Set(['alarm', 'dup']) });
  const stub = createStub(capability, holder, { own: { id: 'the id' } });
  return { home, owner, holder, stub, settle: async () => {} };
}

/** The same with the holder at one end of a link and the owner at the other. */
async function setUpLinked(t: TestContext): Promise<Scene> {
  Thing.disposals = 0;
  const home = new Home();
  const owner = new LoggedSide();
  const holder = new LoggedSide();
  const capability = new Capability({ owner, target: () => home, reserved: new Set(['alarm', 'dup']) });
  const { near } = await openLinks(t, { entry: () => entryOf(capability) });
  const stub = createStub(near.entry({ name: 'home' }), holder, { own: { id: 'the id' } });
  // Releases precede this call, and the owner's releases precede its result.
  return {
    home,
    owner,
    holder,
    stub,
    settle: async () => (await stub.size, owner.log.pop(), holder.log.pop()),
  };
}

const wheres = {
  'in one process': setUp,
  'across a link': setUpLinked,
};

for (const [where, open] of Object.entries(wheres)) {
  test(`createStub calls methods and reads properties through both sides, ${where}`, async (t) => {
    const { owner, holder, stub } = await open(t);
    assert.equal(await stub.echo('x'), 'x');
    assert.equal(await stub.size, 5);
    assert.deepEqual(holder.log, ['reach', 'reach']);
    assert.deepEqual(owner.log, ['enter', 'enter']);
    await rejects(stub.alarm(), /'alarm' is a reserved method and cannot be called over RPC\./);
    await rejects(stub.dup(), /'dup' is a reserved method/);
    await rejects(stub.order, { message: 'The RPC receiver does not implement the method "order".', remote: true }); // prettier-ignore
  });

  test(`createStub has local properties, and is safe to await, print and index, ${where}`, async (t) => {
    const { owner, stub } = await open(t);
    assert.equal(await stub, stub);
    assert.deepEqual(
      [stub.id, stub.then, stub[0], stub[Symbol.iterator]],
      ['the id', undefined, undefined, undefined],
    );
    assert.deepEqual(
      [`${stub}`, typeof stub, stub.hasOwnProperty('id')],
      ['[object Object]', 'object', true],
    );
    const thing = await stub.thing(1);
    assert.deepEqual(
      [`${thing}`, typeof thing, thing instanceof RpcStub],
      ['[object JsRpcStub]', 'function', true],
    );
    assert.equal(await thing, thing);
    assert.equal(owner.log.length, 1);
  });

  test(`createStub copies arguments when the call is made and results when they are returned, ${where}`, async (t) => {
    const { home, stub } = await open(t);
    const argument = { list: [1] };
    const call = stub.echo(argument);
    argument.list.push(2);
    assert.deepEqual(await call, { list: [1] });
    const kept = { a: 1 };
    home.echo = () => kept;
    await rejects(stub.echo(1), /does not implement/); // An own function is a field, not a method.
  });

  test(`createStub delivers calls in the order they are made, ${where}`, async (t) => {
    const { home, stub } = await open(t);
    await Promise.all([0, 1, 2, 3, 4].map((n) => stub.note(n)));
    assert.deepEqual(home.order, [0, 1, 2, 3, 4]);
  });

  test(`createStub pipelines calls on results that have not arrived yet, ${where}`, async (t) => {
    const { owner, stub } = await open(t);
    // Neither waits for the other: both have entered when the first result arrives.
    const things = stub.things();
    const sum = things.sum(4, 5);
    await things;
    assert.deepEqual(owner.log, ['enter', 'enter']);
    assert.equal(await sum, 9);
    assert.equal(await stub.things().name, 'things');
    assert.equal(await stub.thing(1).next.next.hi('x'), 'hi x 3');
    assert.equal(await stub.thing(1).later().later().hi('x'), 'hi x 21');
    await rejects(stub.things().name.length, /does not implement the method "name"/);
    await rejects(stub.things()(), { message: '"(this)" is not a function.', remote: true });
  });

  test(`createStub fails every call pipelined on one that failed, with the same error, ${where}`, async (t) => {
    const { stub } = await open(t);
    const failed = stub.fail();
    const expected = { name: 'RangeError', message: 'no', remote: true };
    await rejects(failed.anything().at.all(), expected);
    await rejects(failed, expected);
    assert.equal(await stub.fail().catch((error: Error) => error.message), 'no');
  });

  test(`createStub reports values that cannot be sent: for arguments at once, for results as a remote error, ${where}`, async (t) => {
    const { owner, stub } = await open(t);
    const local = await stub.echo(new Home()).catch((error: Error) => error);
    assert.deepEqual([local.name, local.remote, owner.log], ['DataCloneError', undefined, []]);
    const remote = await stub.instance().catch((error: Error) => error);
    assert.deepEqual([remote.name, remote.remote], ['DataCloneError', true]);
    const message =
      'Could not serialize object of type "RpcPromise". This type does not support serialization.';
    const inner = stub.echo(1);
    await rejects(stub.echo(inner), { name: 'DataCloneError', message });
    await inner;
  });

  test(`createStub passes functions in both directions and runs them on the side they come from, ${where}`, async (t) => {
    const { holder, stub } = await open(t);
    assert.equal(await stub.apply((a: number, b: number) => a + b, 1, 2), 3);
    assert.deepEqual(holder.log, ['reach', 'enter']);
    await rejects(stub.apply(() => { throw new TypeError('mine'); }), { name: 'TypeError', message: 'mine' }); // prettier-ignore
    const things = await stub.things();
    assert.equal(await things.sum(1, 2), 3);
    const f = (n: number): number => n + 1;
    const [first, second] = await stub.echo([f, f]);
    assert.equal(first, second);
    assert.equal(await first(1), 2);
  });

  test(`createStub disposes of the stubs in arguments when the call is over, unless they were duplicated, ${where}`, async (t) => {
    const { home, stub, settle } = await open(t);
    await stub.echo({ thing: new Thing(1) }).then((value: Disposable) => value[Symbol.dispose]());
    await settle();
    assert.equal(Thing.disposals, 1);
    await stub.keep(new Thing(2));
    await settle();
    assert.equal(Thing.disposals, 1);
    assert.equal(await home.held.hi('x'), 'hi x 2');
    home.held[Symbol.dispose]();
    await settle();
    assert.equal(Thing.disposals, 2);
  });

  test(`createStub notifies the target once when the last duplicate is disposed of, ${where}`, async (t) => {
    const { stub, settle } = await open(t);
    const thing = await stub.thing(1);
    const duplicate = thing.dup();
    thing[Symbol.dispose]();
    thing[Symbol.dispose]();
    await settle();
    assert.equal(Thing.disposals, 0);
    await rejects(thing.hi('x'), { message: 'RPC stub used after being disposed.' });
    await rejects(thing.next.hi('x'), { message: 'RPC stub used after being disposed.' });
    assert.throws(() => thing.dup(), /RPC stub used after being disposed/);
    assert.equal(await duplicate.hi('y'), 'hi y 1');
    duplicate[Symbol.dispose]();
    await settle();
    assert.equal(Thing.disposals, 1);
  });

  test(`createStub makes every result disposable, with the stubs in it and the returned object, ${where}`, async (t) => {
    const { home, stub, settle } = await open(t);
    const things = await stub.things();
    things[Symbol.dispose]();
    await settle();
    assert.equal(Thing.disposals, 2);
    await rejects(things.sum(1, 2), /RPC stub used after being disposed/);
    const resource = await stub.resource();
    assert.deepEqual(Object.keys(resource), ['open']);
    resource[Symbol.dispose]();
    resource[Symbol.dispose]();
    await settle();
    assert.equal(home.closed, 1);
    assert.equal(typeof (await stub.echo([1]))[Symbol.dispose], 'function');
    const pending = stub.thing(1);
    pending[Symbol.dispose]();
    await pending;
    await settle();
    assert.equal(Thing.disposals, 3);
  });

  test(`createStub passes stubs on: the receiver calls the owner directly, from its own side, ${where}`, async (t) => {
    const { owner, holder, stub } = await open(t);
    const thing = await stub.thing(7);
    const other = new LoggedSide();
    const third = createStub(
      new Capability({ owner: other, target: () => (t: Stub) => t.hi('from afar') }),
      holder,
    );
    owner.log.length = 0;
    assert.equal(await third(thing), 'hi from afar 7');
    assert.deepEqual([other.log, owner.log], [['enter', 'reach'], ['enter']]);
    assert.equal(await thing.hi('still here'), 'hi still here 7');
    const service = createStub(
      new Capability({ owner: other, target: () => (s: Stub) => [s.id, s.size] }),
      holder,
    );
    await rejects(service(stub), /"RpcProperty"/);
    const passed = createStub(new Capability({ owner: other, target: () => async (s: Stub) => [s.id, await s.size] }), outside); // prettier-ignore
    assert.deepEqual([...(await passed(stub))], ['the id', 5]);
  });

  test(`createStub keeps what is set on the stub of an entry point, and refuses it on any other, ${where}`, async (t) => {
    const { stub } = await open(t);
    stub.color = 'red';
    assert.equal(stub.color, 'red');
    const thing = await stub.thing(1);
    assert.throws(() => (thing.color = 'red'), TypeError);
    assert.throws(() => Object.setPrototypeOf(thing, null), TypeError);
  });
}

test('RpcStub made by hand refers to a local target by the same rules', async () => {
  const local = new RpcStub(new Thing(3)) as Stub;
  assert.equal(await local.hi('x'), 'hi x 3');
  await rejects(local.missing(), /does not implement the method "missing"/);
  const plain = new RpcStub({ a: 1, f: () => 3 }) as Stub;
  assert.deepEqual([await plain.a, await plain.f()], [1, 3]);
});

test('RpcStub and RpcTarget cannot be stored', async () => {
  const { stub } = setUp();
  const references = {
    message: 'Remote RPC references can only be serialized for RPC.',
    name: 'DataCloneError',
  };
  assert.throws(() => encodeValue(new Thing(1)), references);
  const thing = await stub.thing(1);
  assert.throws(() => encodeValue({ thing }), references);
  assert.throws(() => encodeValue(stub), { message: 'ServiceStub cannot be serialized in this context.' });
  assert.throws(() => encodeValue(thing.name), /"RpcProperty"/);
});

test('createStub keeps the order of calls on a result, whether it has arrived or not', async () => {
  class Counter extends RpcTarget {
    #value = 0;
    get value(): number {
      return this.#value;
    }
    increment(): void {
      this.#value += 1;
    }
  }
  const owner = new (class extends RpcTarget {
    open(): Counter {
      return new Counter();
    }
  })();
  const stub = createStub(new Capability({ owner: outside, target: () => owner }), outside);
  // A property read is sent some microtasks after the call before it, at each of which the result may arrive.
  for (let turns = 0; turns < 12; turns++) {
    const counter = stub.open();
    counter.increment();
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    assert.equal(await counter.value, 1, `after ${turns} turns`);
  }
});
