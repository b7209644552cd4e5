/**
 * A change that is sent to the server. It says what came of it, and what is shown is read again: all of the open zone, or
 * all there is where no zone is open. It is pending until that was read, so that nothing flickers back.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { tell, tellError } from '../toasts.tsx';

interface WriteOptions<Input, Answer> {
  readonly write: (input: Input) => Promise<Answer>;
  /** What to say when it is done. What the server remarks is said with it. */
  readonly done?:
    | string
    | ((answer: Answer, input: Input) => string | readonly [title: string, text: string]);
  /** What to say when it is not. Absent where a form shows what went wrong. */
  readonly failed?: string | ((input: Input) => string);
  readonly onDone?: (answer: Answer, input: Input) => unknown;
  /** Called when what is shown has been read again. */
  readonly onRead?: () => void;
  /** Changes of the same name are sent one after the other, each when the one before was read again. */
  readonly inTurn?: string;
}

export function useWrite<Input = void, Answer = unknown>(options: WriteOptions<Input, Answer>) {
  const { write, done, failed, onDone, onRead, inTurn } = options;
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: write,
    ...(inTurn === undefined ? {} : { scope: { id: inTurn } }),
    // Without a connection it fails at once and says so, instead of being sent some time later.
    networkMode: 'always',
    async onSuccess(answer, input) {
      if (done !== undefined) {
        const said = typeof done === 'string' ? done : done(answer, input);
        const [title, text = listRemarks(answer)] = typeof said === 'string' ? [said] : said;
        tell(title, text === '' ? undefined : text);
      }
      await onDone?.(answer, input);
    },
    onError(error, input) {
      if (failed !== undefined) tellError(typeof failed === 'string' ? failed : failed(input), error);
    },
    async onSettled(_answer, error) {
      const reading = readAgain();
      // What is asked again while the server is away is asked until it is back.
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
    // A first read that is under way may have begun before the change: it is waited for, and not begun again.
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
