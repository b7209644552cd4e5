import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { DurableObjectTransaction } from './transaction.ts';

const members = 'delete deleteAlarm deleteAll get getAlarm list put rollback setAlarm'.split(' ');

test('DurableObjectTransaction shows the members that workerd has, enumerable and on its prototype, and none of its own', () => {
  // As in workerd 1.20261104.1.
  const { prototype } = DurableObjectTransaction;
  deepEqual(Object.keys(prototype).toSorted(), members);
  deepEqual(Object.getOwnPropertyNames(prototype).toSorted(), ['constructor', ...members]);
  deepEqual(Object.getOwnPropertyNames(DurableObjectTransaction), ['length', 'name', 'prototype']);
  const txn = new DurableObjectTransaction(() => ({}) as never, { rollback: () => {} });
  deepEqual([Reflect.ownKeys(txn), JSON.stringify(txn)], [[], '{}']);
  equal(Object.prototype.toString.call(txn), '[object DurableObjectTransaction]');
});
