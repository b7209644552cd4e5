/** One object: what is known about it, and its parts under four headings. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { getProgram } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { tellError } from '../../parts/toasts.tsx';
import { AlarmButtons } from './alarm-buttons.tsx';
import { formatBytes } from './format-bytes.ts';
import { HistoryPart } from './history.tsx';
import { MomentBar } from './moment-bar.tsx';
import { objectQuery, namesOf, type Place, type StatefulObject } from './object-queries.ts';
import { UndoBar } from './restore.tsx';
import { SqlConsole } from './sql/sql-console.tsx';
import { TablesPart } from './sql/tables.tsx';
import { ValuesPart } from './values.tsx';
import type { Writing } from './writing.tsx';

const views = { tables: 'Tables', values: 'Values', sql: 'SQL', history: 'History' } as const;
type View = keyof typeof views;

interface ObjectViewProps {
  readonly place: Place;
  /** The moment that is looked at beside now. */
  readonly at: string | undefined;
  /** The bookmark that undoes a restore. */
  readonly undo: string | undefined;
  readonly view: string;
}

export function ObjectView({ place, at, undo, view }: ObjectViewProps) {
  const object = useQuery(objectQuery(place));
  const title = object.data?.zone_name ?? object.data?.name ?? place.object;
  return (
    <>
      <p className="objects-back">
        <Link to="/objects" search={{ class: place.className }}>
          All objects of {place.className}
        </Link>
      </p>
      <PageHead title={title} about={object.data && <Facts place={place} object={object.data} />}>
        {object.data?.storage === 'sql' && <DownloadButton place={place} at={at} />}
      </PageHead>
      {object.isPending ? (
        <Loading rows={5} />
      ) : object.isError ? (
        <Failed error={object.error} onRetry={() => void object.refetch()} />
      ) : (
        <Parts object={object.data} {...{ place, at, undo, view }} />
      )}
    </>
  );
}

function Facts({ place, object }: { readonly place: Place; readonly object: StatefulObject }) {
  return (
    <span className="objects-facts">
      <span>{object.class}</span>
      <span>{formatBytes(object.bytes)}</span>
      <span>
        {object.alarm_on === undefined ? (
          'No alarm is set'
        ) : (
          <>
            Alarm <Time at={object.alarm_on} isRelative />
          </>
        )}
      </span>
      {object.alarm_on !== undefined && <AlarmButtons place={place} can={object} />}
      <span className="mono objects-id">{object.id}</span>
    </span>
  );
}

function Parts({ object, place, at, undo, view }: ObjectViewProps & { readonly object: StatefulObject }) {
  const [isUnlocked, setUnlocked] = useState(false);
  const writing: Writing = { isUnlocked: isUnlocked && object.is_writable, setUnlocked };
  if (object.storage === 'kv') {
    return (
      <div className="stack">
        <p className="soft">
          This class has key-value storage: it has values, no tables, and keeps no history.
        </p>
        <ValuesPart {...{ place, object, writing }} at={undefined} />
      </div>
    );
  }
  const shown: View = view in views ? (view as View) : 'tables';
  return (
    <div className="stack">
      <nav className="objects-views" aria-label="Parts of the object">
        {Object.entries(views).map(([name, label]) => (
          <Link
            key={name}
            to="/objects"
            search={{
              class: place.className,
              object: place.object,
              view: name,
              ...(at === undefined ? {} : { at }),
            }}
            aria-current={name === shown ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {undo !== undefined && object.is_restorable && <UndoBar {...{ place, object, undo }} />}
      {at !== undefined && <MomentBar place={place} at={at} view={shown} object={object} />}
      {shown === 'tables' && <TablesPart place={place} at={at} />}
      {shown === 'values' && <ValuesPart {...{ place, at, object, writing }} />}
      {shown === 'sql' && <SqlConsole {...{ place, at, object, writing }} />}
      {shown === 'history' && <HistoryPart place={place} at={at} object={object} />}
    </div>
  );
}

function DownloadButton({ place, at }: { readonly place: Place; readonly at: string | undefined }) {
  const [isBusy, setIsBusy] = useState(false);
  const download = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const response = await client.stream('/accounts/{account_id}/objects/{class_name}/{object}/export', {
        ...namesOf(place),
        query: { at },
      });
      const url = URL.createObjectURL(await response.blob());
      const link = document.createElement('a');
      link.href = url;
      link.download = `${place.className}-${place.object}.sqlite`;
      link.click();
      URL.revokeObjectURL(url);
    } catch (error) {
      tellError('The download failed', error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button
      onClick={() => void download()}
      isBusy={isBusy}
      title={
        getProgram() === 'dev'
          ? 'A SQLite file.'
          : 'A SQLite file. Hashes of tokens and keys, and private keys, are left out.'
      }
    >
      {at === undefined ? 'Download' : 'Download this moment'}
    </Button>
  );
}
