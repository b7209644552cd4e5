/**
 * A change that is sent to the server. It reports the result, and the shown data is read again: all of the open zone,
 * or everything if no zone is open. It is pending until then, so that old data does not reappear.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { tell, showError } from '../toasts.tsx';

export interface WriteOptions<Input, Answer> {
  readonly write: (input: Input) => Promise<Answer>;
  /** The message on success. The server's notes are added. */
  readonly done?:
    | string
    | ((answer: Answer, input: Input) => string | readonly [title: string, text: string])
    | undefined;
  /** The message on failure. Absent if a form shows the error. */
  readonly failed?: string | undefined;
  readonly onDone?: ((answer: Answer, input: Input) => unknown) | undefined;
  /** Called when the shown data has been read again. */
  readonly onRead?: (() => void) | undefined;
  /** Changes of the same name are sent one after the other, each when the data of the previous one was read again. */
  readonly inTurn?: string;
}

export function useWrite<Input = void, Answer = unknown>(options: WriteOptions<Input, Answer>) {
  const { write, done, failed, onDone, onRead, inTurn } = options;
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: write,
    ...(inTurn === undefined ? {} : { scope: { id: inTurn } }),
    // Without a connection it fails immediately and reports that, instead of being sent some time later.
    networkMode: 'always',
    async onSuccess(answer, input) {
      if (done !== undefined) {
        const said = typeof done === 'string' ? done : done(answer, input);
        const [title, text = listRemarks(answer)] = typeof said === 'string' ? [said] : said;
        tell(title, text === '' ? undefined : text);
      }
      await onDone?.(answer, input);
    },
    onError(error) {
      if (failed !== undefined) showError(failed, error);
    },
    async onSettled(_answer, error) {
      const reading = readAgain();
      // Reads that are retried while the server is unavailable are retried until it is available again.
      if (error !== null) return;
      await reading;
      onRead?.();
    },
  });
}

export function useReadAgain(): () => Promise<void> {
  const queries = useQueryClient();
  const { zoneId } = useParams({ strict: false });
  const filter = zoneId === undefined ? {} : { queryKey: ['zones', zoneId] };
  return async () => {
    // A first read in progress may have started before the change: it is awaited, and not restarted.
    const reading = queries.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' });
    const early = new Set(reading.filter(({ state }) => state.data === undefined));
    await queries.invalidateQueries(filter);
    if (early.size > 0) await queries.invalidateQueries({ predicate: (query) => early.has(query) });
  };
}

function listRemarks(answer: unknown): string | undefined {
  const { messages = [] } = (answer ?? {}) as { readonly messages?: readonly { readonly message: string }[] };
  return messages.length === 0 ? undefined : messages.map(({ message }) => message).join(' ');
}
