import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { genericCodes } from './codes/generic.ts';
import { Fault, fault } from './fault.ts';
import { FaultList } from './fault-list.ts';

const { zoneNotFound, bodyTooLarge } = genericCodes;

function thrownBy(list: FaultList): Fault {
  try {
    list.throwIfAny();
  } catch (error) {
    return error as Fault;
  }
  throw new Error('nothing was thrown');
}

test('FaultList keeps faults in their order, under their status if they have the same', () => {
  const list = new FaultList();
  list.throwIfAny();
  equal(
    list.attempt(() => 7),
    7,
  );
  const refuse = (): never => {
    throw fault(zoneNotFound, { pointer: '/0' });
  };
  equal(list.attempt(refuse), undefined);
  list.add(fault(zoneNotFound, { pointer: '/1' }));
  const { status, entries } = thrownBy(list);
  deepEqual([status, entries.map(({ source }) => source?.pointer)], [404, ['/0', '/1']]);
  list.add(fault(bodyTooLarge));
  equal(thrownBy(list).status, 400);
});

test('FaultList lets errors of ours through', () => {
  const list = new FaultList();
  const fail = (): never => {
    throw new TypeError('ours');
  };
  throws(() => list.attempt(fail), TypeError);
  list.throwIfAny();
});
