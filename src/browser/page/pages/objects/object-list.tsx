/** The classes, and the objects of the chosen one. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { getProgram } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { formatBytes } from '../../parts/format-bytes.ts';
import { TextField } from '../../parts/forms/field.tsx';
import { useSettled } from '../../parts/forms/use-settled.ts';
import { countThings } from '../../parts/reading/count-things.ts';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty, Message } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { AlarmList } from './alarm-list.tsx';
import {
  alarmsQuery,
  type ListedObject,
  listQuery,
  nameOf,
  type ObjectClass,
  toPathName,
} from './object-queries.ts';
import { StoriesLink, StoryList } from './steps/story-list.tsx';

interface ObjectListProps {
  /** Undefined: the first one. */
  readonly className: string | undefined;
  /** `alarms` or `stories`, if they are shown; anything else for a class. */
  readonly view: string;
}

const noClass = (
  <Empty title="This Worker has no Durable Object classes" command="gatehouse dev examples">
    Export a class that extends DurableObject, and bind it in the configuration.
  </Empty>
);

export function ObjectList({ className, view }: ObjectListProps) {
  const classes = useQuery(read('/accounts/{account_id}/objects', { account_id: useAccountId() }));
  return (
    <Resource of={classes} rows={5} empty={noClass}>
      {(all) => {
        const isOther = className === undefined && (view === 'alarms' || view === 'stories');
        const chosen = isOther ? undefined : (className ?? findFirst(all));
        return (
          <div className="stack">
            <ClassLinks classes={all} chosen={chosen} view={view} />
            {chosen !== undefined && <Instances key={chosen} className={chosen} />}
            {chosen === undefined && (view === 'alarms' ? <AlarmList /> : <StoryList />)}
          </div>
        );
      }}
    </Resource>
  );
}

/** Zones are the most likely target, then a class that has objects. */
function findFirst(classes: readonly ObjectClass[]): string {
  const found =
    classes.find(({ name }) => name === 'Zone') ?? classes.find(({ objects }) => objects > 0) ?? classes[0]!;
  return found.name;
}

interface ClassLinksProps {
  readonly classes: readonly ObjectClass[];
  readonly chosen: string | undefined;
  readonly view: string;
}

function ClassLinks({ classes, chosen, view }: ClassLinksProps) {
  const { data: alarms = [] } = useQuery(alarmsQuery(useAccountId()));
  const next = alarms[0]?.alarm_on;
  return (
    <nav className="grid objects-classes" aria-label="Classes">
      {classes.map(({ name, objects, storage }) => (
        <Link
          key={name}
          to="/objects"
          search={{ class: name }}
          className="box"
          aria-current={name === chosen ? 'page' : undefined}
        >
          <strong>{name}</strong>
          <span className="soft">{countThings(objects, 'object')}</span>
          <span className="soft">{storage === 'sql' ? 'SQL storage' : 'Key-value storage'}</span>
        </Link>
      ))}
      <Link
        to="/objects"
        search={{ view: 'alarms' }}
        className="box"
        aria-current={chosen === undefined && view === 'alarms' ? 'page' : undefined}
      >
        <strong>Alarms</strong>
        <span className="soft">{next === undefined ? 'None is set' : 'Next one'}</span>
        <span className="soft">{next === undefined ? ' ' : <Time at={next} isRelative />}</span>
      </Link>
      {getProgram() === 'dev' && <StoriesLink isShown={chosen === undefined && view === 'stories'} />}
    </nav>
  );
}

const columns: readonly Column<ListedObject>[] = [
  {
    title: 'Object',
    cell: (object) => (
      <>
        <Link
          to="/objects"
          search={{ class: object.class, object: toPathName(object) }}
          className="strong-link wrap"
        >
          {nameOf(object)}
        </Link>
        {object.zone_name !== undefined && <div className="mono soft">{object.name}</div>}
      </>
    ),
  },
  {
    title: 'Id',
    kind: 'mono',
    cell: ({ id }) => (
      <span className="soft" title={id}>
        {id.slice(0, 16)}…
      </span>
    ),
  },
  {
    title: 'Alarm',
    cell: ({ alarm_on: at }) =>
      at === undefined ? <span className="soft">none</span> : <Time at={at} isRelative />,
  },
  { title: 'Size', kind: 'number', cell: ({ bytes }) => formatBytes(bytes) },
];

function Instances({ className }: { readonly className: string }) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const list = useQuery(listQuery(useAccountId(), className, useSettled(search), page));
  const find = (text: string): void => {
    setSearch(text);
    setPage(1);
  };
  return (
    <>
      <div className="row fields">
        <TextField
          label={`Search in ${className}`}
          type="search"
          placeholder={getProgram() === 'dev' ? 'Name or id' : 'Name, id or site'}
          value={search}
          onChange={find}
        />
      </div>
      <Resource of={list} rows={5}>
        {({ objects, pages, total }) =>
          objects.length === 0 ? (
            <NoObject className={className} isSearch={search !== ''} />
          ) : (
            <>
              <DataTable label="Objects" columns={columns} rows={objects} />
              {pages > 1 && (
                <div className="row">
                  <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
                    Previous
                  </Button>
                  <span className="soft">
                    Page {page} of {pages}, {total.toLocaleString()} objects
                  </span>
                  <Button disabled={page >= pages} onClick={() => setPage(page + 1)}>
                    Next
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Resource>
    </>
  );
}

function NoObject({ className, isSearch }: { readonly className: string; readonly isSearch: boolean }) {
  if (isSearch) return <Message title="No objects found">Try another part of the name or of the id.</Message>;
  return (
    <Empty
      title={`No object of ${className} has stored anything`}
      command={`gatehouse objects list ${className}`}
    >
      Objects appear here after their first write. Call one through its Worker.
    </Empty>
  );
}
