import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { carrySignatures } from './carried-signatures.ts';

test('carrySignatures reports rules without a replacement, if they were in force', () => {
  const rule = { groupId: 'g', defaultMode: 'block', isChanged: false } as const;
  const carried = carrySignatures(
    {
      id: 'p',
      name: 'USER',
      settings: null,
      groups: [
        { id: 'g', mode: 'on' },
        { id: 'off', mode: 'off' },
      ],
      rules: [
        { ...rule, id: 'one', mode: 'block' },
        { ...rule, id: 'two', mode: 'disable' },
        { ...rule, id: 'three', mode: 'block', groupId: 'off' },
      ],
    },
    () => undefined,
  );
  deepEqual(carried, {
    overrides: [],
    losses: [{ code: 10723, message: 'rule one of package USER (mode block) has no replacement' }],
  });
});
