/** Reads a copy of the object's database with SQL. It cannot write: these objects are the program's own. */
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { describeError } from '../../api/api-error.ts';
import { Field, TextInput } from '../../parts/field.tsx';
import { askSql, type Place } from './object-queries.ts';
import { RowsTable } from './rows-table.tsx';

interface SqlConsoleProps {
  readonly place: Place;
  readonly at: string | undefined;
}

export function SqlConsole({ place, at }: SqlConsoleProps) {
  const [sql, setSql] = useState("SELECT name, sql FROM sqlite_schema WHERE type = 'table'");
  const query = useMutation({ mutationFn: () => askSql(place, sql, at) });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    query.mutate();
  };
  return (
    <>
      <div className="objects-sql">
        <Field
          label="Query"
          hint={`It reads a copy of the state of ${at === undefined ? 'now' : 'the moment that you look at'}, for 10 seconds at most. It cannot write: these objects are the program’s own.`}
          error={query.isError ? describeError(query.error) : undefined}
        >
          <TextInput
            render={
              <textarea
                rows={5}
                spellCheck={false}
                value={sql}
                onChange={(event) => setSql(event.currentTarget.value)}
                onKeyDown={onKeyDown}
              />
            }
            className="input mono"
          />
        </Field>
        <div className="row">
          <Button look="primary" isBusy={query.isPending} onClick={() => query.mutate()}>
            Run
          </Button>
          <span className="soft">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
          {query.data !== undefined && (
            <span className="soft" role="status">
              {query.data.rows.length.toLocaleString()} {query.data.rows.length === 1 ? 'row' : 'rows'}
              {query.data.has_more ? ', and more' : ''}
            </span>
          )}
        </div>
      </div>
      {query.data !== undefined && <RowsTable label="Result" rows={query.data} />}
    </>
  );
}
