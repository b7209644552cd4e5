/** The progress of a change of many items, which the server applies after its answer. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Result } from '#client';
import { describeError } from '../../api/api-error.ts';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Pill } from '../../parts/pill.tsx';

export interface BulkWork {
  readonly operationId: string;
  /** The running change, as in "Adding 12 items". */
  readonly title: string;
}

type BulkState = Result<'lists.getBulkOperation'>;

const pollMs = 400;

const words = {
  pending: { tone: 'info', text: 'waiting' },
  running: { tone: 'info', text: 'running' },
  completed: { tone: 'good', text: 'done' },
  failed: { tone: 'bad', text: 'failed' },
} as const;

export function BulkProgress({ work }: { readonly work: BulkWork }) {
  const queries = useQueryClient();
  const names = { account_id: useAccountId(), operation_id: work.operationId };
  const state = useQuery({
    ...read('/accounts/{account_id}/rules/lists/bulk_operations/{operation_id}', names),
    refetchInterval: ({ state: { data } }) => (isOver(data) ? false : pollMs),
  });
  const hasEnded = isOver(state.data);
  useEffect(() => {
    if (hasEnded) void queries.invalidateQueries({ queryKey: ['accounts', names.account_id, 'rules'] });
  }, [hasEnded, queries, names.account_id]);
  const { tone, text } = words[state.data?.status ?? 'pending'];
  return (
    <div className="card row" role="status">
      <Pill tone={tone}>{text}</Pill>
      <span>{work.title}</span>
      {!hasEnded && <progress aria-label={work.title} />}
      {state.data?.error !== undefined && (
        <span className="form-error">{state.data.error}. Nothing was changed.</span>
      )}
      {state.isError && <span className="form-error">{describeError(state.error)}</span>}
    </div>
  );
}

function isOver(state: BulkState | undefined): boolean {
  return state?.status === 'completed' || state?.status === 'failed';
}
