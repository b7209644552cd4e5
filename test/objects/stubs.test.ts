/** Namespaces, ids and stubs from the view of the code that holds them, and the arguments of a stub's fetch. */
import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { DurableObject, type DurableObjectState } from '#objects';
import { type House, errorOf, openHouse, run } from './harness.ts';

class Echo extends DurableObject {
  async fetch(request: Request): Promise<Response> {
    return new Response(`${request.method} ${request.headers.get('x-test') ?? '-'} ${await request.text()}`);
  }
}

async function openEcho(t: Parameters<typeof openHouse>[0]): Promise<House> {
  return await openHouse(t, { classes: { echo: { class: Echo } } });
}

function streamOf(...parts: string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(parts.map((part) => new TextEncoder().encode(part)));
}

const url = 'http://object/';

test('stub.fetch takes a stream as body without duplex, in every form of its arguments', async (t) => {
  const house = await openEcho(t);
  const stub = house.stub('a', 'echo');
  const post = (body: unknown, more: object = {}): RequestInit =>
    ({ method: 'POST', body, ...more }) as RequestInit;
  const streamed = (text: string): Request => new Request(url, post(streamOf(text), { duplex: 'half' }));
  class Init {
    readonly method = 'POST';
    readonly #text = 'by a getter';
    get body(): ReadableStream {
      return streamOf(this.#text);
    }
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const fetches: [Promise<Response>, string][] = [
    [stub.fetch(url, post(streamOf('a', 'b'))), 'POST - ab'],
    [stub.fetch(new URL(url), post(streamOf('of a URL'))), 'POST - of a URL'],
    [stub.fetch(url, post(streamOf('half'), { duplex: 'half' })), 'POST - half'],
    [stub.fetch(url, Object.freeze(post(streamOf('frozen'), { duplex: undefined }))), 'POST - frozen'],
    [stub.fetch(url, new Init()), 'POST - by a getter'],
    [stub.fetch(url, post(new Blob(['blob']).stream())), 'POST - blob'],
    [stub.fetch(url, post(new Response('response').body)), 'POST - response'],
    [stub.fetch(url, post(readable)), 'POST - written later'],
    [stub.fetch(streamed('request')), 'POST - request'],
    [stub.fetch(streamed('request'), null), 'POST - request'],
    [stub.fetch(streamed('kept'), { headers: { 'x-test': 'new' } }), 'POST new kept'],
    [stub.fetch(new Request(url, post('old')), { body: streamOf('replaced') }), 'POST - replaced'],
    [stub.fetch(url, post('text')), 'POST - text'],
    [stub.fetch(url, null), 'GET - '],
  ];
  const writer = writable.getWriter();
  await writer.write(new TextEncoder().encode('written later'));
  await writer.close();
  for (const [answer, expected] of fetches) equal(await (await answer).text(), expected);
});

test('stub.fetch fails when the stream that is its body fails', async (t) => {
  const house = await openEcho(t);
  const body = new ReadableStream({
    pull(controller) {
      controller.error(new RangeError('the source failed'));
    },
  });
  const error = await errorOf(house.stub('a', 'echo').fetch(url, { method: 'POST', body }));
  deepEqual([error.name, error.message], ['RangeError', 'the source failed']);
});

test('fetch inside an object takes a stream as body without duplex', async (t) => {
  const house = await openHouse(t);
  // Nothing listens there: the test only checks that the request was made.
  const error = await run(house.stub('a'), () =>
    errorOf(fetch('http://127.0.0.1:1/', { method: 'POST', body: streamOf('x') })),
  );
  ok(!/duplex/.test(error.message), error.message);
});

test('newUniqueId, get, getByName and jurisdiction take options as workerd does', async (t) => {
  const house = await openHouse(t);
  const namespace = house.runtime.namespace('sql');
  const id = namespace.idFromName('a');
  for (const options of [undefined, null, {}, { jurisdiction: null }, { jurisdiction: undefined }])
    ok(namespace.newUniqueId(options as never).toString());
  for (const options of [undefined, null, {}, { locationHint: null }, { routingMode: 'primary-only' }]) {
    equal(namespace.get(id, options as never).name, 'a');
    equal(namespace.getByName('a', options as never).name, 'a');
  }
  for (const jurisdiction of [undefined, null])
    ok(namespace.jurisdiction(jurisdiction).idFromName('a').equals(id));
  throws(() => namespace.newUniqueId('eu' as never), /parameter 1 is not of type 'NewUniqueIdOptions'/);
  throws(
    () => namespace.get(id, 'x' as never),
    /'get' .* parameter 2 is not of type 'GetDurableObjectOptions'/,
  );
  throws(() => namespace.getByName('a', 5 as never), /'getByName' on .*: parameter 2 is not of type/);
  throws(() => namespace.get(id, { routingMode: null } as never), RangeError);
  const message = /^Jurisdictions are out of scope: .* Leave out the jurisdiction "eu"\.$/;
  throws(() => namespace.newUniqueId({ jurisdiction: 'eu' }), { name: 'Error', message });
  throws(() => namespace.jurisdiction('eu'), { name: 'Error', message });
});

test('a stub has two fields, its methods show up in a loop, and any name may be one of them', async (t) => {
  const house = await openHouse(t);
  const namespace = house.runtime.namespace('sql');
  for (const stub of [namespace.getByName('a'), namespace.get(namespace.newUniqueId())]) {
    deepEqual(Object.keys(stub), ['name', 'id']);
    deepEqual(Object.keys({ ...stub }), ['name', 'id']);
    const seen = [];
    for (const key in stub) seen.push(key);
    deepEqual(seen.toSorted(), ['connect', 'fetch', 'id', 'name']);
    deepEqual(
      ['id', 'fetch', 'anything', 'then'].map((key) => key in stub),
      [true, true, true, false],
    );
    throws(() => {
      stub.name = 'other';
    }, TypeError);
  }
  equal(namespace.get(namespace.newUniqueId()).name, undefined);
  throws(() => namespace.getByName('a').connect('host:1'), /connect\(\) is out of scope/);
});

test('an id cannot be changed by one of those who share it', async (t) => {
  const house = await openHouse(t);
  const namespace = house.runtime.namespace('sql');
  const id = namespace.idFromName('a');
  deepEqual(Object.keys(id), ['jurisdiction', 'name']);
  throws(() => {
    (id as { name: string }).name = 'other';
  }, TypeError);
  equal(namespace.idFromName('a').name, 'a');
  deepEqual(
    [id, namespace].map((value) => Object.prototype.toString.call(value)),
    ['[object DurableObjectId]', '[object DurableObjectNamespace]'],
  );
});

class Looked extends DurableObject {
  readonly #ctx: DurableObjectState;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    this.#ctx = ctx;
  }

  look(): string[][] {
    const ctx = this.#ctx;
    return [ctx, ctx.storage, ctx.storage.sql, ctx.storage.kv].map((each) => [
      Object.prototype.toString.call(each),
      cloneRefusal(each),
    ]);
  }

  async listLimited(limit: unknown): Promise<string> {
    return String(await errorOf(this.#ctx.storage.list({ limit: limit as number })));
  }

  toJSON(...args: unknown[]): unknown[] {
    return ['of the object', ...args];
  }
}

test('an object stores values and an alarm after an INSERT whose rowid no number can hold', async (t) => {
  class Large extends DurableObject {
    readonly #ctx: DurableObjectState;

    constructor(ctx: DurableObjectState, env: unknown) {
      super(ctx, env);
      this.#ctx = ctx;
    }

    async store(): Promise<unknown> {
      const { storage } = this.#ctx;
      storage.sql.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
      storage.sql.exec('INSERT INTO t VALUES (9007199254740993)');
      storage.kv.put('a', 1);
      await storage.put('b', 2);
      await storage.setAlarm(Date.now() + 3_600_000);
      await storage.transaction(async (txn) => await txn.delete('b'));
      return [...(await storage.list())];
    }

    alarm(): void {}
  }
  const house = await openHouse(t, { classes: { large: { class: Large, storage: 'sql' } } });
  deepEqual(await house.stub('a', 'large').store(), [['a', 1]]);
});

function cloneRefusal(value: unknown): string {
  try {
    return `cloned: ${JSON.stringify(structuredClone(value))}`;
  } catch (error) {
    return (error as Error).name;
  }
}

test('state, storage, sql and kv name their classes and refuse to be cloned', async (t) => {
  const stub = (await openHouse(t, { classes: { looked: { class: Looked, storage: 'sql' } } })).stub(
    'a',
    'looked',
  );
  deepEqual(await stub.look(), [
    ['[object DurableObjectState]', 'DataCloneError'],
    ['[object DurableObjectStorage]', 'DataCloneError'],
    ['[object SqlStorage]', 'DataCloneError'],
    ['[object SyncKvStorage]', 'DataCloneError'],
  ]);
});

test('list refuses a bigint as limit', async (t) => {
  const stub = (await openHouse(t, { classes: { looked: { class: Looked, storage: 'sql' } } })).stub(
    'a',
    'looked',
  );
  equal(await stub.listLimited(1n), 'TypeError: Cannot convert a BigInt value to a number');
});

test('JSON.stringify writes the name and the id of a stub, and toJSON of its object can be called', async (t) => {
  const house = await openHouse(t, { classes: { looked: { class: Looked, storage: 'sql' } } });
  const named = house.stub('a', 'looked');
  equal(JSON.stringify(named), '{"name":"a","id":{"name":"a"}}');
  const namespace = house.runtime.namespace('looked');
  equal(JSON.stringify([namespace.get(namespace.newUniqueId())]), '[{"id":{}}]');
  deepEqual(await named.toJSON(), ['of the object']);
});

test('ids, namespaces and stubs refuse to be cloned', async (t) => {
  const house = await openEcho(t);
  const namespace = house.runtime.namespace('echo');
  const things = [namespace.idFromName('a'), namespace.newUniqueId(), namespace, house.stub('a', 'echo')];
  deepEqual(
    things.map((each) => cloneRefusal({ each })),
    things.map(() => 'DataCloneError'),
  );
});
