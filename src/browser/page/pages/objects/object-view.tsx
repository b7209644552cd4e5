/** One object: its properties, and a section for each part. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { read } from '../../api/read.ts';
import { getProgram } from '../../api/session.ts';
import { formatBytes } from '../../parts/format-bytes.ts';
import { WriteButton } from '../../parts/forms/write-button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import { AlarmButtons } from './alarm-buttons.tsx';
import { HistoryPart } from './history.tsx';
import { MomentBar } from './moment-bar.tsx';
import { objectPath, searchFor, type StatefulObject, usePlace } from './object-queries.ts';
import { UndoBar } from './restore.tsx';
import { SqlConsole } from './sql/sql-console.tsx';
import { TablesPart } from './sql/tables.tsx';
import { ValuesPart } from './values.tsx';
import { workflowClass, WorkflowSteps } from './workflow-steps.tsx';
import type { Writing } from './writing.tsx';

const allViews = {
  steps: 'Steps',
  tables: 'Tables',
  values: 'Values',
  sql: 'SQL',
  history: 'History',
} as const;
type View = keyof typeof allViews;

interface ObjectViewProps {
  /** The moment that is compared with the current state. */
  readonly at: string | undefined;
  /** The bookmark that undoes a restore. */
  readonly undo: string | undefined;
  readonly view: string;
}

export function ObjectView(props: ObjectViewProps) {
  const place = usePlace();
  const object = useQuery(read(objectPath, { ...place }));
  const title = object.data?.zone_name ?? object.data?.name ?? place.object;
  return (
    <>
      <p>
        <Link to="/objects" search={{ class: place.class_name }}>
          All objects of {place.class_name}
        </Link>
      </p>
      <PageHead title={title} about={object.data && <Facts object={object.data} />}>
        {object.data?.storage === 'sql' && <DownloadButton at={props.at} />}
      </PageHead>
      <Resource of={object} rows={5}>
        {(known) => <Parts object={known} {...props} />}
      </Resource>
    </>
  );
}

function Facts({ object }: { readonly object: StatefulObject }) {
  const place = usePlace();
  return (
    <span className="row">
      <span>{object.class}</span>
      <span>{formatBytes(object.bytes)}</span>
      {object.alarm_on === undefined ? (
        <span>No alarm is set</span>
      ) : (
        <>
          <span>
            Alarm <Time at={object.alarm_on} isRelative />
          </span>
          <AlarmButtons place={place} can={object} />
        </>
      )}
      <span className="mono wrap">{object.id}</span>
    </span>
  );
}

function Parts({ object, at, undo, view }: ObjectViewProps & { readonly object: StatefulObject }) {
  const place = usePlace();
  const [isUnlocked, setUnlocked] = useState(false);
  const writing: Writing = { isUnlocked: isUnlocked && object.is_writable, setUnlocked };
  if (object.storage === 'kv') {
    return (
      <div className="stack">
        <p className="soft">
          This class uses key-value storage: it has values, but no tables and no history.
        </p>
        <ValuesPart {...{ object, writing }} at={undefined} />
      </div>
    );
  }
  const { steps, ...common } = allViews;
  const views = object.class === workflowClass ? { steps, ...common } : common;
  const shown = (view in views ? view : Object.keys(views)[0]) as View;
  return (
    <div className="stack">
      <nav className="tabs" aria-label="Parts of the object">
        {Object.entries(views).map(([name, label]) => (
          <Link
            key={name}
            to="/objects"
            search={searchFor(place, { view: name, ...(at === undefined ? {} : { at }) })}
            className="tab"
            aria-current={name === shown ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {undo !== undefined && object.is_restorable && <UndoBar {...{ object, undo }} />}
      {at !== undefined && <MomentBar at={at} view={shown} object={object} />}
      {shown === 'steps' && <WorkflowSteps at={at} />}
      {shown === 'tables' && <TablesPart at={at} />}
      {shown === 'values' && <ValuesPart {...{ at, object, writing }} />}
      {shown === 'sql' && <SqlConsole {...{ at, object, writing }} />}
      {shown === 'history' && <HistoryPart at={at} object={object} />}
    </div>
  );
}

function DownloadButton({ at }: { readonly at: string | undefined }) {
  const place = usePlace();
  return (
    <WriteButton
      write={async () => {
        const response = await client.stream(`${objectPath}/export`, { ...place, query: { at } });
        const url = URL.createObjectURL(await response.blob());
        const link = document.createElement('a');
        link.href = url;
        link.download = `${place.class_name}-${place.object}.sqlite`;
        link.click();
        URL.revokeObjectURL(url);
      }}
      failed="The download failed"
      title={
        getProgram() === 'dev'
          ? 'A SQLite file.'
          : 'A SQLite file. Hashes of tokens and keys, and private keys, are left out.'
      }
    >
      {at === undefined ? 'Download' : 'Download this moment'}
    </WriteButton>
  );
}
