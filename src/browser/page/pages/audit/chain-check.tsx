/** Recomputes the hashes of every audit log, compares it with its anchor, and reports broken ones. */
import { useMutation } from '@tanstack/react-query';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { tell, showError } from '../../parts/toasts.tsx';

type Trail = Result<'audit.verify'>[number];

export function ChainCheck() {
  const account_id = useAccountId();
  const check = useMutation({
    mutationFn: () => resultOf(client.get('/accounts/{account_id}/audit_logs/verify', { account_id })),
    onSuccess(trails) {
      const broken = trails.find(({ is_intact }) => !is_intact);
      const count = trails.reduce((sum, { entries }) => sum + entries, 0);
      if (broken !== undefined) showError('The audit log was changed', new Error(describe(broken)));
      else tell('The audit log is intact', `${count.toLocaleString()} entries in ${trails.length} logs.`);
    },
    onError: (error) => showError('The audit log could not be checked', error),
  });
  return (
    <Button isBusy={check.isPending} onClick={() => check.mutate()}>
      Check that it is intact
    </Button>
  );
}

function describe({ kind, id, broken_sequence: broken, missing }: Trail): string {
  const log = `The log of ${kind} ${id}`;
  if (broken !== undefined) return `${log} is broken at entry ${broken}.`;
  if (missing !== undefined)
    return `${log} has lost its entries ${missing.first_sequence} to ${missing.last_sequence}.`;
  return `${log} does not match the last hash that the account recorded.`;
}
