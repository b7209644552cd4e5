import { equal, rejects } from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { FoundObject } from '#operator';
import { Directory } from '../../context/directory.ts';
import { system } from '../../context/caller.ts';
import type { ObjectsContext } from '../several-objects.ts';
import { createInspection } from './object-policy.ts';

test('createInspection changes no object if the account cannot record the change', async () => {
  const context = {
    call: { operation: 'objects.execute', actor: system },
    directory: new Directory(),
    account: { addAuditEntry: () => Promise.reject(new Error('the disk is full')) },
  } as unknown as ObjectsContext;
  const found = { className: 'Zone', name: 'a', id: { toString: () => 'a' } } as unknown as FoundObject;
  const work = mock.fn(async () => {});
  await rejects(createInspection(context).policy.perform(found, {}, work), /the disk is full/);
  equal(work.mock.callCount(), 0);
});
