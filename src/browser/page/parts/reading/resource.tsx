/**
 * The result of a read, in each of its states: pending, failed, empty, loaded, and stale, which means loaded although
 * reading it again has failed.
 */
import type { ReactNode } from 'react';
import { describeError } from '../../api/api-error.ts';
import { Button } from '../button.tsx';
import { Failed, Loading } from './states.tsx';
import type { Readable } from './together.ts';

interface ResourceProps<Data> {
  readonly of: Readable<Data>;
  /** Its height in rows while it is pending. */
  readonly rows?: number | undefined;
  /** Shown instead of an empty list. */
  readonly empty?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

export function Resource<Data>({ of, rows = 3, empty, children }: ResourceProps<Data>) {
  const { data, error } = of;
  const retry = (): void => void of.refetch();
  if (data === undefined)
    return error === null ? <Loading rows={rows} /> : <Failed error={error} onRetry={retry} />;
  const isEmpty = empty !== undefined && Array.isArray(data) && data.length === 0;
  return (
    <>
      {error !== null && <Stale error={error} onRetry={retry} />}
      {isEmpty ? empty : children(data)}
    </>
  );
}

function Stale({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <div className="note note-warn row" role="alert">
      <span>This may be outdated: it could not be refreshed. {describeError(error)}</span>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
