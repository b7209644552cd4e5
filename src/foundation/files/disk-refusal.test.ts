import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { describeDiskRefusal, diskRefusalOf } from './disk-refusal.ts';

test('diskRefusalOf recognises a disk that refuses writes, also as the cause of another error', () => {
  const failed = (code: string): Error => Object.assign(new Error(code), { code });
  equal(diskRefusalOf(failed('ENOSPC')), 'full');
  equal(diskRefusalOf(failed('EDQUOT')), 'quota');
  equal(diskRefusalOf(failed('EROFS')), 'read-only');
  equal(diskRefusalOf(failed('EIO')), 'failing');
  equal(
    diskRefusalOf(new Error('outer', { cause: new Error('inner', { cause: failed('ENOSPC') }) })),
    'full',
  );
  equal(diskRefusalOf(Object.assign(new Error('told'), { diskRefusal: 'quota' })), 'quota');
  for (const other of [failed('ENOENT'), failed('EACCES'), new Error('x'), 'ENOSPC', null, undefined]) {
    equal(diskRefusalOf(other), undefined);
  }
  const circle = new Error('circle');
  circle.cause = circle;
  equal(diskRefusalOf(circle), undefined);
  equal(describeDiskRefusal('full'), 'the disk is full');
});
