/** Recomputes the hashes of every audit log, compares it with its anchor, and says whether one is broken. */
import { useMutation } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';

interface Trail {
  readonly kind: 'account' | 'zone';
  readonly id: string;
  readonly is_intact: boolean;
  readonly entries: number;
  readonly broken_sequence?: number;
  readonly missing?: { readonly first_sequence: number; readonly last_sequence: number };
}

export function ChainCheck({ path }: { readonly path: string }) {
  const check = useMutation({
    mutationFn: () => get<readonly Trail[]>(`${path}/verify`),
    onSuccess(trails) {
      const broken = trails.find(({ is_intact }) => !is_intact);
      const count = trails.reduce((sum, { entries }) => sum + entries, 0);
      if (broken === undefined) {
        tell('The audit log is intact', `${count.toLocaleString()} entries in ${trails.length} logs.`);
        return;
      }
      tellError('The audit log was changed', new Error(describe(broken)));
    },
    onError: (error) => tellError('The audit log could not be checked', error),
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
  return `${log} has other entries than when the account noted its last hash.`;
}
