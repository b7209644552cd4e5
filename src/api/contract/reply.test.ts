import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { genericCodes } from './codes/generic.ts';
import { entryOf, Fault, fault } from './fault.ts';
import { created, noContent, ok, pageOf, refused, writeFault, writeReply } from './reply.ts';

test('writeReply puts results into the envelope, in the order of Cloudflare', () => {
  deepEqual(writeReply(ok({ id: 'a' }), []), {
    status: 200,
    body: '{"result":{"id":"a"},"success":true,"errors":[],"messages":[]}',
  });
  deepEqual(writeReply(created(null), [{ code: 1, message: 'm' }]), {
    status: 201,
    body: '{"result":null,"success":true,"errors":[],"messages":[{"code":1,"message":"m"}]}',
  });
  deepEqual(writeReply(noContent, []), { status: 204, body: null });
});

test('pageOf cuts a page, and beyond the end there is an empty one', () => {
  const items = [1, 2, 3, 4, 5];
  const read = (page: number): unknown => {
    const { result, result_info } = JSON.parse(
      writeReply(pageOf(items, { page, per_page: 2 }), []).body!,
    ) as {
      result: unknown;
      result_info: object;
    };
    return { result, ...result_info };
  };
  const totals = { per_page: 2, total_count: 5, total_pages: 3 };
  deepEqual(read(1), { result: [1, 2], page: 1, count: 2, ...totals });
  deepEqual(read(3), { result: [5], page: 3, count: 1, ...totals });
  deepEqual(read(9), { result: [], page: 9, count: 0, ...totals });
});

test('fault fills the places of its message and says where and what', () => {
  const { invalidJson, couldNotRoute } = genericCodes;
  const made = fault(invalidJson, { fill: { api: 'a', reason: '{x} is $& wrong' }, pointer: '/0', id: 'i' });
  deepEqual(made.entries, [
    {
      code: 10026,
      message: 'a.api.invalid_json: {x} is $& wrong',
      source: { pointer: '/0' },
      meta: { id: 'i' },
    },
  ]);
  equal(made.message, '10026 a.api.invalid_json: {x} is $& wrong');
  deepEqual(entryOf(couldNotRoute, { chain: [invalidJson] }).error_chain, [
    { code: 10026, message: invalidJson.message },
  ]);
});

test('writeFault has no result, whatever throws it', () => {
  const two = new Fault(
    404,
    [entryOf(genericCodes.noRoute), entryOf(genericCodes.zoneNotFound)],
    [{ code: 1, message: 'm' }],
  );
  const written = {
    status: 404,
    body: '{"result":null,"success":false,"errors":[{"code":7000,"message":"No route for that URI"},{"code":1001,"message":"Invalid zone identifier"}],"messages":[{"code":1,"message":"m"}]}',
  };
  deepEqual(writeFault(two), written);
  deepEqual(writeReply(refused(two), []), written);
});
