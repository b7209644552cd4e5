/** SQL on a D1 database, with the previous statements, and restoring it to a moment of its history. */
import '../objects/objects.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { formatBytes } from '../../parts/format-bytes.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { countThings } from '../../parts/reading/count-things.ts';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import { QueryConsole } from '../objects/sql/query-console.tsx';
import { RowsTable } from '../objects/sql/rows-table.tsx';
import { DeleteStore } from './create-store.tsx';

const path = '/accounts/{account_id}/d1/database/{database_id}';
const route = getRouteApi('/signed-in/account/stores/d1/$storeId');

interface DatabaseNames {
  readonly account_id: string;
  readonly database_id: string;
}

/** The most rows that are shown for one statement. */
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

function DatabaseConsole({ names }: { readonly names: DatabaseNames }) {
  return (
    <Card title="SQL">
      <QueryConsole
        place={`d1 ${names.database_id}`}
        run={(sql) => resultOf(client.post(`${path}/query`, { ...names, body: { sql } }))}
        hint="Statements read and write the database. Each run is one transaction."
      >
        {(results) => results.map((result, index) => <Outcome key={index} result={result} />)}
      </QueryConsole>
    </Card>
  );
}

function Outcome({ result: { results, meta } }: { readonly result: Result<'d1.query'>[number] }) {
  const rows = results as readonly Readonly<Record<string, string | number | null>>[];
  const columns = Object.keys(rows[0] ?? {});
  return (
    <>
      <p className="soft">
        {countThings(rows.length, 'row')}, {Number(meta['rows_read'] ?? 0).toLocaleString()} read,{' '}
        {Number(meta['changes'] ?? 0).toLocaleString()} changed
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

function RestoreForm({ names, onClose }: { readonly names: DatabaseNames; readonly onClose: () => void }) {
  return (
    <WriteDialog
      title="Go back in time"
      action="Restore"
      look="danger"
      initial={{ moment: '' }}
      write={({ moment }) => {
        const query = { timestamp: new Date(moment).toISOString() };
        return resultOf(client.post(`${path}/time_travel/restore`, { ...names, query }));
      }}
      done={({ previous_bookmark }) => [
        'The database is restored',
        `To undo this, restore bookmark ${previous_bookmark}`,
      ]}
      isIncomplete={({ moment }) => Number.isNaN(Date.parse(moment))}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField label="Moment" type="datetime-local" step="1" {...bind('moment')} />
          <p className="soft">
            Restores the whole database to that moment. You get a bookmark that undoes this.
          </p>
        </>
      )}
    </WriteDialog>
  );
}
