/** The values that an object has stored by key, decoded; of now, and of a moment beside it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Field, TextInput } from '../../parts/field.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { LongText } from './long-text.tsx';
import { type ObjectValue, type Place, valuesQuery } from './object-queries.ts';

interface ValuesProps {
  readonly place: Place;
  readonly at: string | undefined;
}

export function ValuesPart({ place, at }: ValuesProps) {
  const [typed, setTyped] = useState('');
  const prefix = useSettled(typed);
  const now = useQuery(valuesQuery(place, prefix, undefined));
  const then = useQuery({ ...valuesQuery(place, prefix, at), enabled: at !== undefined });
  const failed = [now, then].find(({ isError }) => isError);
  const isPending = now.isPending || (at !== undefined && then.isPending);
  return (
    <>
      <div className="objects-search">
        <Field label="Keys that begin with">
          <TextInput type="search" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
        </Field>
      </div>
      {failed !== undefined ? (
        <Failed error={failed.error} onRetry={() => void failed.refetch()} />
      ) : isPending ? (
        <Loading rows={5} />
      ) : (
        <ValueTable now={now.data ?? []} then={at === undefined ? undefined : then.data} prefix={prefix} />
      )}
    </>
  );
}

interface ValueTableProps {
  readonly now: readonly ObjectValue[];
  readonly then: readonly ObjectValue[] | undefined;
  readonly prefix: string;
}

function ValueTable({ now, then, prefix }: ValueTableProps) {
  const nowByKey = new Map(now.map(({ key, shown }) => [key, shown]));
  const thenByKey = new Map((then ?? []).map(({ key, shown }) => [key, shown]));
  const keys = [...new Set([...nowByKey.keys(), ...thenByKey.keys()])].toSorted();
  if (keys.length === 0) {
    return (
      <Empty title={prefix === '' ? 'No value is stored by key' : 'No key begins with this'}>
        <p>{prefix === '' ? 'What the object keeps is in its tables.' : 'Shorten it to see more keys.'}</p>
      </Empty>
    );
  }
  return (
    <div className="table-frame objects-rows" role="region" aria-label="Values" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Key</th>
            {then !== undefined && <th scope="col">Then</th>}
            <th scope="col">{then === undefined ? 'Value' : 'Now'}</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => {
            const isChanged = then !== undefined && nowByKey.get(key) !== thenByKey.get(key);
            return (
              <tr key={key} className={isChanged ? 'objects-marked' : undefined}>
                <td className="mono">{key}</td>
                {then !== undefined && <ValueCell shown={thenByKey.get(key)} />}
                <ValueCell shown={nowByKey.get(key)} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function ValueCell({ shown }: { readonly shown: string | undefined }) {
  return (
    <td className="mono">
      {shown === undefined ? <span className="soft">none</span> : <LongText text={shown} />}
    </td>
  );
}
