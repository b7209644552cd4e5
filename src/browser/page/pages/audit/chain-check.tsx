/** Recomputes the hashes of every audit log, compares it with its anchor, and reports broken ones. */
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { WriteButton } from '../../parts/forms/write-button.tsx';
import { showError, tell } from '../../parts/toasts.tsx';

type Trail = Result<'audit.verify'>[number];

export function ChainCheck() {
  const account_id = useAccountId();
  return (
    <WriteButton
      write={() => resultOf(client.get('/accounts/{account_id}/audit_logs/verify', { account_id }))}
      failed="The audit log could not be checked"
      onDone={report}
    >
      Check that it is intact
    </WriteButton>
  );
}

function report(trails: readonly Trail[]): void {
  const broken = trails.find(({ is_intact }) => !is_intact);
  const count = trails.reduce((sum, { entries }) => sum + entries, 0);
  if (broken !== undefined) showError('The audit log was changed', new Error(describe(broken)));
  else tell('The audit log is intact', `${count.toLocaleString()} entries in ${trails.length} logs.`);
}

function describe({ kind, id, broken_sequence: broken, missing }: Trail): string {
  const log = `The log of ${kind} ${id}`;
  if (broken !== undefined) return `${log} is broken at entry ${broken}.`;
  if (missing !== undefined)
    return `${log} has lost its entries ${missing.first_sequence} to ${missing.last_sequence}.`;
  return `${log} does not match the last hash that the account recorded.`;
}
