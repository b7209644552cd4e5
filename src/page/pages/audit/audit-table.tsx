import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { client, resultOf } from '../../api/client.ts';
import { Pill, type Tone } from '../../parts/pill.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { Table, TableHead } from '../../parts/table.tsx';
import { alignLines, type Entry, toLines } from './entry.ts';

interface TableProps {
  readonly entries: readonly Entry[];
  readonly accountId: string;
}

export function AuditTable({ entries, accountId }: TableProps) {
  return (
    <Table label="Changes">
      <TableHead columns={['When', 'What', 'Where', 'Who']} />
      <tbody>
        {entries.map((entry) => (
          <EntryRows key={entry.id} entry={entry} accountId={accountId} />
        ))}
      </tbody>
    </Table>
  );
}

const words: Readonly<Record<Entry['action']['type'], { readonly text: string; readonly tone: Tone }>> = {
  add: { text: 'added', tone: 'good' },
  change: { text: 'changed', tone: 'info' },
  delete: { text: 'deleted', tone: 'bad' },
};

function EntryRows({ entry, accountId }: { readonly entry: Entry; readonly accountId: string }) {
  const [isOpen, setOpen] = useState(false);
  const { text, tone } = words[entry.action.type];
  return (
    <Fragment>
      <tr>
        <td className="audit-when">
          <Time at={entry.when} />
        </td>
        <td>
          <button
            type="button"
            className="audit-what"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {entry.resource.type.replaceAll('_', ' ')}
          </button>{' '}
          <Pill tone={tone}>{text}</Pill>
          <div className="soft mono audit-id">{entry.metadata.operation}</div>
        </td>
        <td>{entry.metadata.zone_name ?? 'account'}</td>
        <td>
          {entry.actor.type === 'system' ? 'Gatehouse itself' : entry.actor.email}
          <div className="soft mono">{entry.actor.ip}</div>
        </td>
      </tr>
      {isOpen && (
        <tr className="audit-open">
          <td colSpan={4}>
            <Values entry={entry} accountId={accountId} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** A value that is too long for a list is asked for by itself. */
function Values({ entry, accountId }: { readonly entry: Entry; readonly accountId: string }) {
  const isShortened = entry.metadata.is_shortened === true;
  const whole = useQuery({
    queryKey: ['audit', 'entry', entry.id],
    queryFn: ({ signal }) =>
      resultOf(
        client.get('/accounts/{account_id}/audit_logs', {
          account_id: accountId,
          query: { id: entry.id },
          signal,
        }),
      ),
    enabled: isShortened,
  });
  if (whole.isError) return <Failed error={whole.error} onRetry={() => void whole.refetch()} />;
  if (isShortened && whole.isPending) return <Loading />;
  const { oldValue, newValue } = whole.data?.[0] ?? entry;
  return (
    <>
      <SideBySide before={oldValue} after={newValue} />
      <p className="soft mono audit-id">
        {entry.resource.type} {entry.resource.id}
        {entry.metadata.token_id !== undefined && `, by token ${entry.metadata.token_id}`}
      </p>
    </>
  );
}

function SideBySide({ before, after }: { readonly before: string; readonly after: string }) {
  const rows = alignLines(toLines(before), toLines(after));
  return (
    <div className="audit-sides" role="group" aria-label="Before and after">
      <h3>Before</h3>
      <h3>After</h3>
      {before === '' && <p className="soft">It did not exist.</p>}
      {before !== '' && (
        <pre tabIndex={0}>
          {rows.map((row, index) => (
            <span key={index} className={getLineClass(row.before, row.after, 'audit-gone')}>
              {row.before ?? ' '}
            </span>
          ))}
        </pre>
      )}
      {after === '' && <p className="soft">It no longer exists.</p>}
      {after !== '' && (
        <pre tabIndex={0}>
          {rows.map((row, index) => (
            <span key={index} className={getLineClass(row.after, row.before, 'audit-come')}>
              {row.after ?? ' '}
            </span>
          ))}
        </pre>
      )}
    </div>
  );
}

function getLineClass(line: string | undefined, other: string | undefined, mark: string): string {
  return line === undefined || line === other ? 'audit-line' : `audit-line ${mark}`;
}
