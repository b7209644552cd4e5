import './audit.css';
import { useQuery } from '@tanstack/react-query';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { joinClasses } from '../../parts/join-classes.ts';
import { Pill, type Tone } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import { alignLines, type ListedAuditEntry, toLines } from './entry.ts';

const words: Readonly<Record<ListedAuditEntry['action']['type'], readonly [text: string, tone: Tone]>> = {
  add: ['added', 'good'],
  change: ['changed', 'info'],
  delete: ['deleted', 'bad'],
};

const columns: readonly Column<ListedAuditEntry>[] = [
  { title: 'When', cell: ({ when }) => <Time at={when} /> },
  {
    title: 'What',
    opens: ({ resource }) => resource.type.replaceAll('_', ' '),
    cell({ action, metadata }) {
      const [text, tone] = words[action.type];
      return (
        <>
          {' '}
          <Pill tone={tone}>{text}</Pill>
          <div className="soft mono">{metadata.operation}</div>
          {metadata.reason !== undefined && <div className="wrap">“{metadata.reason}”</div>}
        </>
      );
    },
  },
  { title: 'Where', cell: ({ metadata }) => metadata.zone_name ?? 'account' },
  {
    title: 'Who',
    cell: ({ actor }) => (
      <>
        {actor.type === 'system' ? 'Gatehouse itself' : actor.email}
        <div className="soft mono">{actor.ip}</div>
      </>
    ),
  },
];

export function AuditTable({ entries }: { readonly entries: readonly ListedAuditEntry[] }) {
  return (
    <DataTable
      label="Changes"
      columns={columns}
      rows={entries}
      details={({ metadata, ...entry }) =>
        metadata.is_shortened === true ? <Whole id={entry.id} /> : <Values entry={{ metadata, ...entry }} />
      }
    />
  );
}

/** A value that is too long for the list is loaded separately. */
function Whole({ id }: { readonly id: string }) {
  const query = { id };
  const whole = useQuery(read('/accounts/{account_id}/audit_logs', { account_id: useAccountId(), query }));
  return <Resource of={whole}>{([entry]) => <Values entry={entry!} />}</Resource>;
}

function Values({ entry: { oldValue, newValue, resource, metadata } }: { readonly entry: ListedAuditEntry }) {
  const rows = alignLines(toLines(oldValue), toLines(newValue));
  return (
    <>
      <div className="audit-sides" role="group" aria-label="Before and after">
        <h2>Before</h2>
        <h2>After</h2>
        <Side
          lines={rows.map(({ before, after }) => [before, after])}
          mark="audit-gone"
          absent={oldValue === '' && 'It did not exist.'}
        />
        <Side
          lines={rows.map(({ before, after }) => [after, before])}
          mark="audit-come"
          absent={newValue === '' && 'It no longer exists.'}
        />
      </div>
      <p className="soft mono">
        {resource.type} {resource.id}
        {metadata.token_id !== undefined && `, by token ${metadata.token_id}`}
      </p>
    </>
  );
}

interface SideProps {
  /** Each with the corresponding line of the other side. */
  readonly lines: readonly (readonly [line: string | undefined, other: string | undefined])[];
  /** The class of lines that the other side lacks. */
  readonly mark: string;
  readonly absent: string | false;
}

function Side({ lines, mark, absent }: SideProps) {
  if (absent !== false) return <p className="soft">{absent}</p>;
  return (
    <pre tabIndex={0}>
      {lines.map(([line, other], index) => (
        <span key={index} className={joinClasses('audit-line', line !== undefined && line !== other && mark)}>
          {line ?? ' '}
        </span>
      ))}
    </pre>
  );
}
