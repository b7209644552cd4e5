import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Capability, RpcTarget, type Stub, createStub, outside } from '#rpc';
import { entryOf, openLinks } from './testing.ts';

const limit = 32 * 1024 * 1024;

class Desk extends RpcTarget {
  text(length: number): string {
    return 'x'.repeat(length);
  }
  wide(length: number): string {
    return '€'.repeat(length);
  }
  bytes(length: number): Uint8Array {
    return new Uint8Array(length);
  }
  list(length: number): string[] {
    return Array.from({ length: 16 }, () => 'x'.repeat(length / 16));
  }
  sizeOf(value: { readonly length: number }): number {
    return value.length;
  }
  entry(): Stub {
    return createEntry();
  }
  throwText(length: number): never {
    throw Object.assign(new RangeError('m'.repeat(length)), { retryable: true });
  }
}

function createEntry(): Stub {
  const options = { address: { name: 'another' }, target: () => ({}), reserved: new Set<string>() };
  return createStub(new Capability({ owner: outside, ...options }), outside, { own: {} });
}

async function openDesk(
  t: TestContext,
  fetch?: (request: Request) => Promise<Response>,
): Promise<{ readonly stub: Stub; readonly fetch: (request: Request) => Promise<Response> }> {
  const capability = new Capability({ owner: outside, target: () => new Desk(), reserved: new Set() });
  const { near } = await openLinks(t, { entry: () => entryOf(capability, fetch) });
  const entry = near.entry({ name: 'desk' });
  return {
    stub: createStub(entry, outside, { own: {} }),
    fetch: (request) => entry.fetch(outside, request),
  };
}

test('Link answers a call with text of every size up to 32 MiB, and refuses a larger one', async (t) => {
  const { stub } = await openDesk(t);
  // workerd's overhead for a string: 7 bytes as a result, 12 as an argument.
  for (const length of [limit / 4, limit / 4 + 1, 33_000_000, limit - 7])
    assert.equal((await stub.text(length)).length, length);
  assert.equal((await stub.wide(limit / 2 - 4)).length, limit / 2 - 4);
  assert.equal((await stub.bytes(limit - 100)).length, limit - 100);
  assert.equal((await stub.list(limit - 1024)).length, 16);
  assert.equal(await stub.sizeOf('x'.repeat(limit - 12)), limit - 12);
  const refused = (bytes: number): RegExp => new RegExp(`limited to 32MiB.* was: ${bytes} bytes`);
  await assert.rejects(Promise.resolve(stub.text(limit - 6)), refused(limit + 1));
  await assert.rejects(Promise.resolve(stub.wide(limit / 2 - 3)), refused(limit + 2));
  await assert.rejects(Promise.resolve(stub.bytes(limit)), /limited to 32MiB/);
  await assert.rejects(Promise.resolve(stub.list(limit)), /limited to 32MiB/);
  await assert.rejects(Promise.resolve(stub.sizeOf('x'.repeat(limit - 11))), refused(limit + 1));
  // The other calls of the link are not affected.
  assert.equal(await stub.text(3), 'xxx');
});

test('Link answers calls on text that is too long to pass as it is as it does on short text', async (t) => {
  const { stub } = await openDesk(t);
  for (const length of [3, limit / 4 + 1])
    await assert.rejects(Promise.resolve(stub.text(length).toUpperCase()), /does not implement the method/);
});

test('Link answers with an error that is larger than a message: its texts are cut', async (t) => {
  const { stub } = await openDesk(t);
  const whole = await stub.throwText(1_000_000).catch((error: unknown) => error);
  assert.equal(whole.message.length, 1_000_000);
  const error = await stub.throwText(40_000_000).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof RangeError);
  assert.match(error.message.slice(-3), /^mm…$/);
  assert.equal(error.message.length, limit / 8 + 1);
  assert.equal(await stub.text(3), 'xxx');
});

test('Link answers a fetch with a failure that cannot be read or sent', async (t) => {
  const unreadable = Object.defineProperty(new Error('no'), 'message', {
    get: () => {
      throw new Error('not readable');
    },
  });
  const failures = [unreadable, Object.assign(new Error('named'), { name: () => {} }), Symbol('thrown')];
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- Workers throw anything
  const { fetch } = await openDesk(t, () => Promise.reject(failures.shift()));
  for (const message of [/cannot be read/, /named/, /Symbol\(thrown\)/])
    await assert.rejects(fetch(new Request('http://object/')), message);
});

test('Link rejects a call whose arguments or result the other end cannot take, and goes on', async (t) => {
  // Neither end recognises the entry point that is passed to it.
  const { stub } = await openDesk(t);
  await assert.rejects(Promise.resolve(stub.entry()), /has no entry points/);
  await assert.rejects(Promise.resolve(stub.sizeOf(createEntry()).anything()), /has no entry points/);
  assert.equal(await stub.text(3), 'xxx');
});

test('Link passes the response of an error', async (t) => {
  const { fetch } = await openDesk(t, async () => Response.error());
  const { type, status } = await fetch(new Request('http://object/'));
  assert.deepEqual([type, status], ['error', 0]);
});

test('Link carries bodies larger than a message that come as one chunk', async (t) => {
  const { fetch } = await openDesk(t, async (request) => new Response(await request.arrayBuffer()));
  const sent = new Uint8Array(40 * 1024 * 1024).map((_, i) => i % 251);
  const response = await fetch(new Request('http://object/', { method: 'POST', body: sent }));
  assert.ok(Buffer.from(sent).equals(Buffer.from(await response.arrayBuffer())));
});
