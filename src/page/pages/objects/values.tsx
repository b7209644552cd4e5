/** The values that an object has stored by key, decoded; of now, and of a moment beside it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { actions, numbers, Table, TableHead } from '../../parts/table.tsx';
import { formatBytes } from './format-bytes.ts';
import { LongText } from './long-text.tsx';
import {
  type ObjectValue,
  type Place,
  type StatefulObject,
  valuesPerPage,
  valuesQuery,
} from './object-queries.ts';
import { AddValue, ValueActions } from './value-editor.tsx';
import { type Writing, WritingBar } from './writing.tsx';

interface ValuesProps {
  readonly place: Place;
  readonly at: string | undefined;
  readonly object: StatefulObject;
  readonly writing: Writing;
}

export function ValuesPart({ place, at, object, writing }: ValuesProps) {
  const [typed, setTyped] = useState('');
  const [limit, setLimit] = useState(valuesPerPage);
  const prefix = useSettled(typed);
  const now = useQuery(valuesQuery(place, prefix, undefined, limit));
  const then = useQuery({ ...valuesQuery(place, prefix, at, limit), enabled: at !== undefined });
  const failed = [now, then].find(({ isError }) => isError);
  const isPending = now.isPending || (at !== undefined && then.isPending);
  const canWrite = writing.isUnlocked && at === undefined;
  const isMore = Math.max(now.data?.length ?? 0, then.data?.length ?? 0) >= limit;
  return (
    <>
      {at === undefined && <WritingBar object={object} writing={writing} />}
      <div className="row objects-until">
        <div className="objects-search">
          <Field label="Keys that begin with">
            <TextInput
              type="search"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </Field>
        </div>
        {canWrite && <AddValue place={place} confirm={object.confirm} />}
      </div>
      {failed !== undefined ? (
        <Failed error={failed.error} onRetry={() => void failed.refetch()} />
      ) : isPending ? (
        <Loading rows={5} />
      ) : (
        <ValueTable
          now={now.data ?? []}
          then={at === undefined ? undefined : then.data}
          prefix={prefix}
          edit={canWrite ? { place, confirm: object.confirm } : undefined}
        />
      )}
      {isMore && (
        <div className="row">
          <Button isBusy={now.isFetching} onClick={() => setLimit(limit * 4)}>
            Show more keys
          </Button>
        </div>
      )}
    </>
  );
}

interface ValueTableProps {
  readonly now: readonly ObjectValue[];
  readonly then: readonly ObjectValue[] | undefined;
  readonly prefix: string;
  /** If they may be changed. */
  readonly edit: { readonly place: Place; readonly confirm: string } | undefined;
}

function ValueTable({ now, then, prefix, edit }: ValueTableProps) {
  const nowByKey = new Map(now.map((value) => [value.key, value]));
  const thenByKey = new Map((then ?? []).map((value) => [value.key, value]));
  const keys = [...new Set([...nowByKey.keys(), ...thenByKey.keys()])].toSorted();
  if (keys.length === 0) {
    return (
      <Empty title={prefix === '' ? 'No value is stored by key' : 'No key begins with this'}>
        <p>{prefix === '' ? 'What the object keeps is in its tables.' : 'Shorten it to see more keys.'}</p>
      </Empty>
    );
  }
  return (
    <Table label="Values" className="objects-rows">
      <TableHead
        columns={[
          'Key',
          ...(then === undefined ? ['Value'] : ['Then', 'Now']),
          'Type',
          numbers('Size'),
          ...(edit === undefined ? [] : [actions]),
        ]}
      />
      <tbody>
        {keys.map((key) => {
          const value = nowByKey.get(key);
          const isChanged = then !== undefined && value?.shown !== thenByKey.get(key)?.shown;
          return (
            <tr key={key} className={isChanged ? 'objects-marked' : undefined}>
              <td className="mono objects-key">{key}</td>
              {then !== undefined && <ValueCell shown={thenByKey.get(key)?.shown} />}
              <ValueCell shown={value?.shown} />
              <td className="soft">{value?.type}</td>
              <td className="number soft">{value !== undefined && formatBytes(value.bytes)}</td>
              {edit !== undefined && (
                <td>
                  <ValueActions {...edit} valueKey={key} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

function ValueCell({ shown }: { readonly shown: string | undefined }) {
  return (
    <td className="mono">
      {shown === undefined ? <span className="soft">none</span> : <LongText text={shown} />}
    </td>
  );
}
