/** Changes that never overwrite what the reader has not seen, and that say what came of them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { tell, tellError } from '../../parts/toasts.tsx';

/** Somebody else was faster: what the reader decided about is not there any more. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError';

  constructor(what: string) {
    super(`Nothing was saved: someone else has changed ${what} in the meantime. Look at it and try again.`);
  }
}

interface ChangeOptions<Variables> {
  readonly zoneId: string;
  /** Returns what the server has to say about it, if anything. */
  readonly change: (variables: Variables) => Promise<readonly string[]>;
  readonly done: string;
  /** Absent where the form itself shows what went wrong. */
  readonly failed?: string;
  readonly onDone?: () => void;
}

/** The change is pending until what is shown has been read again, so that nothing flickers back. */
export function useChange<Variables>({ zoneId, change, done, failed, onDone }: ChangeOptions<Variables>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Without a connection it fails at once and says so, instead of being sent some time later.
    networkMode: 'always',
    async onSettled(_messages, error) {
      const read = Promise.all([
        queries.invalidateQueries({ queryKey: ['zones', zoneId, 'migration'] }),
        queries.invalidateQueries({ queryKey: ['zones', zoneId, 'previous-rules'] }),
      ]);
      if (error === null) await read;
    },
    onSuccess(messages) {
      tell(done, messages.length === 0 ? undefined : messages.join(' '));
      onDone?.();
    },
    onError(error) {
      if (failed !== undefined) tellError(failed, error);
    },
  });
}
