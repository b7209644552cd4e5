import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { DurableObjectTransaction } from './transaction.ts';

test('DurableObjectTransaction shows the members that workerd has, and none of its own', () => {
  deepEqual(Object.getOwnPropertyNames(DurableObjectTransaction.prototype).toSorted(), [
    'constructor',
    'delete',
    'deleteAlarm',
    'deleteAll',
    'get',
    'getAlarm',
    'list',
    'put',
    'rollback',
    'setAlarm',
  ]);
  deepEqual(Object.getOwnPropertyNames(DurableObjectTransaction), ['length', 'name', 'prototype']);
});
