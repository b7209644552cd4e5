/** The content of a store, searched by key prefix. */
import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Envelope } from '#client';
import { Card } from '../../parts/card.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { useSettled } from '../../parts/forms/use-settled.ts';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Message } from '../../parts/reading/states.tsx';

interface PrefixSearchProps<Item, Key extends QueryKey> {
  readonly title: string;
  /** The items whose keys have this prefix; all with an empty one. */
  readonly search: (prefix: string) => UseQueryOptions<readonly Item[], Error, readonly Item[], Key>;
  /** Shown while the store is empty. */
  readonly none: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

export function PrefixSearch<Item, Key extends QueryKey>(props: PrefixSearchProps<Item, Key>) {
  const { title, search, none, children } = props;
  const [prefix, setPrefix] = useState('');
  const searched = useSettled(prefix);
  const found = useQuery(search(searched));
  return (
    <Card title={title}>
      <div className="stack">
        <TextField label="Keys that begin with" value={prefix} onChange={setPrefix} isCode />
        <Resource
          of={found}
          rows={5}
          empty={
            searched === '' ? (
              none
            ) : (
              <Message title="No key has this prefix">Shorten it, or clear the search.</Message>
            )
          }
        >
          {children}
        </Resource>
      </div>
    </Card>
  );
}

interface DeleteEntryProps {
  readonly name: string;
  readonly remove: () => Promise<Envelope<unknown>>;
}

export function DeleteEntry({ name, remove }: DeleteEntryProps) {
  return (
    <ConfirmButton
      label="Delete"
      aria-label={`Delete ${name}`}
      title={`Delete ${name}?`}
      action="Delete"
      write={remove}
      done={`${name} is deleted`}
      failed={`${name} was not deleted`}
    >
      <p>Workers that read it get nothing.</p>
    </ConfirmButton>
  );
}
