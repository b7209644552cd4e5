/** SQL on a D1 database, with the statements before, and the way back to a moment of its history. */
import '../objects/objects.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useId, useState } from 'react';
import type { Result } from '#client';
import { describeError } from '../../api/api-error.ts';
import { client, resultOf } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Loading } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { formatBytes } from '../objects/format-bytes.ts';
import { RowsTable } from '../objects/sql/rows-table.tsx';
import { findMistake, Statements } from '../objects/sql/sql-console.tsx';
import { keepStatement, readStatements } from '../objects/sql/statements.ts';
import { DeleteStore } from './create-store.tsx';

const SqlEditor = lazy(async () => ({
  default: (await import('../objects/sql/sql-editor.tsx')).SqlEditor,
}));

const path = '/accounts/{account_id}/d1/database/{database_id}';
const route = getRouteApi('/signed-in/account/stores/d1/$storeId');

interface Names {
  readonly account_id: string;
  readonly database_id: string;
}

/** Rows that are shown of one statement. */
const rowsMax = 1_000;

export function DatabasePage() {
  const names = { account_id: useAccountId(), database_id: route.useParams().storeId };
  return (
    <Resource of={useQuery(read(path, names))} rows={8}>
      {({ name, uuid, num_tables, file_size, created_at }) => (
        <>
          <PageHead title={name} about={`D1 database ${uuid}`}>
            <DialogButton label="Go back in time">
              {(close) => <RestoreForm names={names} onClose={close} />}
            </DialogButton>
            <DeleteStore what="database" name={name} remove={() => client.delete(path, names)} />
          </PageHead>
          <div className="stack">
            <Card>
              <Facts
                facts={[
                  ['Tables', num_tables.toLocaleString()],
                  ['Size', formatBytes(file_size)],
                  ['Created', <Time key="created" at={created_at} isRelative />],
                ]}
              />
            </Card>
            <DatabaseConsole key={uuid} names={names} />
          </div>
        </>
      )}
    </Resource>
  );
}

function DatabaseConsole({ names }: { readonly names: Names }) {
  const place = `d1 ${names.database_id}`;
  const [sql, setSql] = useState("SELECT name, sql FROM sqlite_schema WHERE type = 'table'");
  const [statements, setStatements] = useState(() => readStatements(place));
  const messageId = useId();
  const query = useWrite({
    write: (text: string) => resultOf(client.post(`${path}/query`, { ...names, body: { sql: text } })),
  });
  const { error, variables, data } = query;
  const start = (text: string): void => {
    if (query.isPending || text.trim() === '') return;
    query.mutate(text, { onSettled: () => setStatements(keepStatement(place, text)) });
  };
  return (
    <Card title="SQL">
      <div className="stack-close">
        <Suspense fallback={<Loading rows={3} />}>
          <SqlEditor
            value={sql}
            onChange={setSql}
            onRun={start}
            label="Query"
            describedBy={messageId}
            schema={noSchema}
            mistake={error === null ? undefined : findMistake(error, variables)}
          />
        </Suspense>
        <p id={messageId} className={query.isError ? 'form-error' : 'field-hint'} role="status">
          {error === null
            ? 'Statements read and write the database. All of one run are one transaction.'
            : describeError(error)}
        </p>
        <div className="row">
          <Button look="primary" isBusy={query.isPending} onClick={() => start(sql)}>
            Run
          </Button>
          <span className="soft">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
        </div>
        <Statements statements={statements} onChoose={setSql} />
        {data?.map((result, index) => (
          <Outcome key={index} result={result} />
        ))}
      </div>
    </Card>
  );
}

/** Completion knows the words of SQL alone. */
const noSchema = {};

function Outcome({ result: { results, meta } }: { readonly result: Result<'d1.query'>[number] }) {
  const rows = results as readonly Readonly<Record<string, string | number | null>>[];
  const columns = Object.keys(rows[0] ?? {});
  return (
    <>
      <p className="soft">
        {rows.length === 1 ? '1 row' : `${rows.length.toLocaleString()} rows`},{' '}
        {Number(meta['rows_read'] ?? 0)} read, {Number(meta['changes'] ?? 0)} changed
      </p>
      {rows.length > 0 && (
        <RowsTable
          label="Result"
          rows={{
            columns,
            rows: rows.slice(0, rowsMax).map((row) => columns.map((column) => row[column] ?? null)),
            has_more: rows.length > rowsMax,
          }}
        />
      )}
    </>
  );
}

function RestoreForm({ names, onClose }: { readonly names: Names; readonly onClose: () => void }) {
  const [moment, setMoment] = useState('');
  const restoring = useWrite({
    write: () =>
      resultOf(
        client.post(`${path}/time_travel/restore`, {
          ...names,
          query: { timestamp: new Date(moment).toISOString() },
        }),
      ),
    done: ({ previous_bookmark }) => [
      'The database is as it was',
      `Back again: bookmark ${previous_bookmark}`,
    ],
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Go back in time"
      action="Put it back"
      look="danger"
      work={restoring}
      isIncomplete={Number.isNaN(Date.parse(moment))}
      onSubmit={() => restoring.mutate()}
      onClose={onClose}
    >
      <TextField label="Moment" type="datetime-local" step="1" value={moment} onChange={setMoment} />
      <p className="soft">
        The whole database becomes what it was then. You are told the bookmark of now, which leads back.
      </p>
    </FormDialog>
  );
}
