/** What the expression would have matched among the last requests, whatever their outcome. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { describeError } from '../../../api/api-error.ts';
import { client, resultOf } from '../../../api/client.ts';
import { useZoneId } from '../../../api/queries.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Time } from '../../../parts/time.tsx';

type Preview = Result<'ruleEffects.preview'>;

/** The expression is undefined while it is not valid. */
export function LastRequests({ expression }: { readonly expression: string | undefined }) {
  const zone_id = useZoneId();
  const preview = useQuery({
    queryKey: ['rule-preview', zone_id, expression],
    enabled: expression !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    networkMode: 'always',
    queryFn: ({ signal }) =>
      resultOf(
        client.post('/zones/{zone_id}/security/rules/preview', {
          zone_id,
          body: { expression: expression! },
          signal,
        }),
      ),
  });
  if (expression === undefined) return <p className="soft">Complete the expression to try it on requests.</p>;
  if (preview.isError) return <p className="form-error">{describeError(preview.error)}</p>;
  if (preview.data === undefined) return <p className="soft">Trying…</p>;
  const { newest, missing } = preview.data;
  return (
    <div className="stack" aria-live="polite">
      <p>
        <strong>{describePreview(preview.data)}</strong>{' '}
        <span className="soft">{describeSource(preview.data)}</span>
      </p>
      {missing.length > 0 && (
        <p className="note">
          The log does not contain {missing.join(', ')}: requests that depend on it are not counted.
        </p>
      )}
      {newest.length > 0 && <DataTable label="Requests that match" columns={columns} rows={newest} />}
    </div>
  );
}

/** `It would have matched 214 of the last 12,000 requests, of which 3 were of signed-in visitors.` */
function describePreview({ source, examined, matched, matched_signed_in: signedIn }: Preview): string {
  if (source === 'none') return 'No request has been logged yet.';
  const requests = source === 'access log' ? 'requests' : 'requests that a rule acted on';
  const of = `It would have matched ${matched.toLocaleString()} of the last ${examined.toLocaleString()} ${requests}`;
  if (signedIn === null || matched === 0) return `${of}.`;
  return `${of}, of which ${signedIn.toLocaleString()} ${signedIn === 1 ? 'was' : 'were'} of signed-in visitors.`;
}

function describeSource({ source, matched_signed_in: signedIn }: Preview): string {
  if (source === 'none') return '';
  if (source === 'activity log') return 'This server has no access log of an edge.';
  return signedIn === null ? '' : 'Signed in: with an Authorization header, or a session cookie.';
}

const columns: readonly Column<Preview['newest'][number]>[] = [
  { title: 'When', cell: ({ datetime }) => <Time at={datetime} isRelative /> },
  { title: 'Request', kind: 'mono', cell: ({ method, url }) => `${method} ${url}` },
  { title: 'Client', kind: 'mono', cell: ({ ip }) => ip },
  { title: 'Signed in', cell: ({ is_signed_in: isSignedIn }) => (isSignedIn === true ? 'yes' : '') },
];
