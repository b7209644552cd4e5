import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { classifyError } from './classify.ts';

test('classifyError says whether it is certain that nothing was done', () => {
  const classify = (code: string, routine?: string): unknown => {
    const error = Object.assign(new Error('said'), { code, routine });
    const { outcome, reason, diskRefusal } = classifyError(error);
    return [outcome, reason, diskRefusal];
  };
  // None of it was done, and it can be repeated.
  for (const code of ['40001', '40P01', '55P03', '23505'])
    deepEqual(classify(code), ['no', 'conflict', undefined]);
  deepEqual(classify('57P03'), ['no', 'away', 'away']);
  deepEqual(classify('25006'), ['no', 'away', 'read-only']);
  // From a standby, if transactions are serializable by default; it may be promoted soon.
  deepEqual(classify('0A000', 'GetSerializableTransactionSnapshot'), ['no', 'away', 'read-only']);
  deepEqual(classify('0A000'), ['no', 'refused', undefined]);
  deepEqual(classify('53100'), ['no', 'refused', 'full']);
  deepEqual(classify('42601'), ['no', 'refused', undefined]);
  // The connection was lost: because of the network, the server, a timeout of either, or a pooler.
  for (const code of ['ECONNRESET', '57P01', '57P05', '57014', '25P03', '25P04', '08P01', '08006', 'XX000'])
    deepEqual(classify(code), ['unknown', 'away', 'away']);
});
