/** Recomputes the hashes of every audit log and says whether one is broken. */
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
      const where = `The log of ${broken.kind} ${broken.id} is broken at entry ${broken.broken_sequence}.`;
      tellError('The audit log was changed', new Error(where));
    },
    onError: (error) => tellError('The audit log could not be checked', error),
  });
  return (
    <Button isBusy={check.isPending} onClick={() => check.mutate()}>
      Check that it is intact
    </Button>
  );
}
