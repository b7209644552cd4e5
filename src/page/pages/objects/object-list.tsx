/** The classes, and the objects of the chosen one. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { Time } from '../../parts/time.tsx';
import { numbers, Table, TableHead } from '../../parts/table.tsx';
import { formatBytes } from './format-bytes.ts';
import { getProgram } from '../../api/session.ts';
import { AlarmList } from './alarm-list.tsx';
import {
  alarmsQuery,
  classesQuery,
  listQuery,
  type ListedObject,
  type ObjectClass,
  toPathName,
} from './object-queries.ts';

interface InstancesProps {
  readonly accountId: string;
  readonly className: string;
}

interface ObjectListProps {
  readonly accountId: string;
  /** Undefined: the first one. */
  readonly className: string | undefined;
  readonly isAlarms: boolean;
}

export function ObjectList({ accountId, className, isAlarms }: ObjectListProps) {
  const classes = useQuery(classesQuery(accountId));
  if (classes.isPending) return <Loading rows={5} />;
  if (classes.isError) return <Failed error={classes.error} onRetry={() => void classes.refetch()} />;
  if (classes.data.length === 0) {
    return (
      <Empty title="This Worker has no Durable Object classes">
        <p>Export a class that extends DurableObject, and bind it in the configuration.</p>
      </Empty>
    );
  }
  const chosen = isAlarms ? undefined : (className ?? findFirst(classes.data));
  return (
    <div className="stack">
      <ClassLinks accountId={accountId} classes={classes.data} chosen={chosen} />
      {chosen === undefined ? (
        <AlarmList accountId={accountId} />
      ) : (
        <Instances key={chosen} accountId={accountId} className={chosen} />
      )}
    </div>
  );
}

/** People look for zones first, and for a class that has objects. */
function findFirst(classes: readonly ObjectClass[]): string {
  const found =
    classes.find(({ name }) => name === 'Zone') ?? classes.find(({ objects }) => objects > 0) ?? classes[0]!;
  return found.name;
}

interface ClassLinksProps {
  readonly accountId: string;
  readonly classes: readonly ObjectClass[];
  readonly chosen: string | undefined;
}

function ClassLinks({ accountId, classes, chosen }: ClassLinksProps) {
  const alarms = useQuery(alarmsQuery(accountId));
  const next = alarms.data?.[0]?.alarm_on;
  return (
    <nav className="objects-classes" aria-label="Classes">
      {classes.map(({ name, objects, storage }) => (
        <Link
          key={name}
          to="/objects"
          search={{ class: name }}
          className="objects-class"
          aria-current={name === chosen ? 'page' : undefined}
        >
          <span className="objects-class-name">{name}</span>
          <span className="soft">
            {objects.toLocaleString()} {objects === 1 ? 'object' : 'objects'}
          </span>
          <span className="soft">{storage === 'sql' ? 'SQL storage' : 'Key-value storage'}</span>
        </Link>
      ))}
      <Link
        to="/objects"
        search={{ view: 'alarms' }}
        className="objects-class"
        aria-current={chosen === undefined ? 'page' : undefined}
      >
        <span className="objects-class-name">Alarms</span>
        <span className="soft">{next === undefined ? 'None is set' : 'Next one'}</span>
        <span className="soft">{next === undefined ? ' ' : <Time at={next} isRelative />}</span>
      </Link>
    </nav>
  );
}

function Instances({ accountId, className }: InstancesProps) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const list = useQuery(listQuery(accountId, className, useSettled(search), page));
  const find = (text: string): void => {
    setSearch(text);
    setPage(1);
  };
  return (
    <>
      <div className="objects-search">
        <Field label={`Search in ${className}`}>
          <TextInput
            type="search"
            value={search}
            placeholder={getProgram() === 'dev' ? 'Name or id' : 'Name, id or site'}
            onChange={(event) => find(event.currentTarget.value)}
          />
        </Field>
      </div>
      {list.isPending ? (
        <Loading rows={5} />
      ) : list.isError ? (
        <Failed error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data.objects.length === 0 ? (
        <Empty title={search === '' ? `No object of ${className} has stored anything` : 'Nothing is found'}>
          <p>
            {search === ''
              ? 'Objects appear here after their first write.'
              : 'Try another part of the name or of the id.'}
          </p>
        </Empty>
      ) : (
        <>
          <InstanceTable objects={list.data.objects} />
          {list.data.pages > 1 && (
            <div className="row">
              <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
                Previous
              </Button>
              <span className="soft">
                Page {page} of {list.data.pages}, {list.data.total.toLocaleString()} objects
              </span>
              <Button disabled={page >= list.data.pages} onClick={() => setPage(page + 1)}>
                Next
              </Button>
            </div>
          )}
        </>
      )}
    </>
  );
}

function InstanceTable({ objects }: { readonly objects: readonly ListedObject[] }) {
  return (
    <Table label="Objects">
      <TableHead columns={['Object', 'Id', 'Alarm', numbers('Size')]} />
      <tbody>
        {objects.map(({ class: className, id, name, zone_name: zoneName, bytes, alarm_on: alarmOn }) => (
          <tr key={id}>
            <td>
              <Link
                to="/objects"
                search={{
                  class: className,
                  object: toPathName({ id, ...(name === undefined ? {} : { name }) }),
                }}
                className="strong-link objects-name"
              >
                {zoneName ?? name ?? `${id.slice(0, 12)}…`}
              </Link>
              {zoneName !== undefined && <div className="mono soft objects-id">{name}</div>}
            </td>
            <td className="mono soft objects-id" title={id}>
              {id.slice(0, 16)}…
            </td>
            <td>
              {alarmOn === undefined ? <span className="soft">none</span> : <Time at={alarmOn} isRelative />}
            </td>
            <td className="number">{formatBytes(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
