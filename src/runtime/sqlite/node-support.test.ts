import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { supportsSqlDatabases } from './node-support.ts';

test('supportsSqlDatabases accepts this Node, and refuses one whose statements cannot be closed', () => {
  equal(supportsSqlDatabases(), true);
  equal(supportsSqlDatabases({ run() {} }), false);
});
