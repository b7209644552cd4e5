/** SQL on an object: what reads is asked of a copy; what writes, once unlocked, of the object itself. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId, useMemo, useState } from 'react';
import { describeError } from '../../../api/api-error.ts';
import { Button } from '../../../parts/button.tsx';
import { Loading } from '../../../parts/reading/states.tsx';
import { useWrite } from '../../../parts/forms/use-write.ts';
import {
  askSql,
  type Executed,
  executeSql,
  type ObjectRows,
  pathOf,
  type ShownObjectPlace,
  restore,
  type StatefulObject,
  tablesQuery,
  usePlace,
} from '../object-queries.ts';
import { type PartProps, WritingBar } from '../writing.tsx';
import { RowsTable } from './rows-table.tsx';
import { keepStatement, readStatements } from './statements.ts';

const SqlEditor = lazy(async () => ({ default: (await import('./sql-editor.tsx')).SqlEditor }));

interface Run extends PartProps {
  readonly place: ShownObjectPlace;
  readonly sql: string;
}

/** A copy is asked first: only a statement that writes reaches the object, which is reset by it. */
async function run({ place, at, object, writing, sql }: Run): Promise<ObjectRows | Executed> {
  try {
    return await askSql(place, sql, at);
  } catch (error) {
    const isWrite = describeError(error).includes('the query writes');
    if (!isWrite || !writing.isUnlocked || at !== undefined) throw error;
    return await executeSql(place, sql, object.confirm);
  }
}

export function SqlConsole(props: PartProps) {
  const { at, object, writing } = props;
  const place = usePlace();
  const [sql, setSql] = useState("SELECT name, sql FROM sqlite_schema WHERE type = 'table'");
  const [statements, setStatements] = useState(() => readStatements(pathOf(place)));
  const messageId = useId();
  const query = useWrite({ write: (text: string) => run({ ...props, place, sql: text }) });
  const { error, variables } = query;
  const mistake = useMemo(
    () => (error === null ? undefined : findMistake(error, variables)),
    [error, variables],
  );
  const start = (text: string): void => {
    if (query.isPending || text.trim() === '') return;
    query.mutate(text, { onSettled: () => setStatements(keepStatement(pathOf(place), text)) });
  };
  return (
    <>
      {at === undefined && <WritingBar object={object} writing={writing} />}
      <div className="stack-close">
        <Suspense fallback={<Loading rows={3} />}>
          <SqlEditor
            value={sql}
            onChange={setSql}
            onRun={start}
            label="Query"
            describedBy={messageId}
            schema={useSchema(place, at)}
            mistake={mistake}
          />
        </Suspense>
        <p id={messageId} className={query.isError ? 'form-error' : 'field-hint'} role="status">
          {query.isError
            ? explain(query.error)
            : `Reads a copy of the state of ${at === undefined ? 'now' : 'the moment that you look at'}, for 10 seconds at most.${writing.isUnlocked ? ' What writes changes the object, as one transaction.' : ''}`}
        </p>
        <div className="row">
          <Button look="primary" isBusy={query.isPending} onClick={() => start(sql)}>
            Run
          </Button>
          <span className="soft">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
          {query.data !== undefined && <Outcome result={query.data} object={object} />}
        </div>
        <Statements statements={statements} onChoose={setSql} />
      </div>
      {query.data !== undefined && <RowsTable label="Result" rows={query.data} />}
    </>
  );
}

/** SQLite counts bytes; the editor counts characters. */
export function findMistake(
  error: unknown,
  sql: string | undefined,
): { readonly at: number; readonly message: string } | undefined {
  const message = explain(error);
  const offset = /at offset (\d+)/.exec(message)?.[1];
  if (offset === undefined || sql === undefined) return undefined;
  const before = new TextEncoder().encode(sql).subarray(0, Number(offset));
  return { at: new TextDecoder().decode(before).length, message };
}

/** Without the name of the API, which says nothing to a person. */
function explain(error: unknown): string {
  return describeError(error).replace(/^objects\.api\.\w+: /, '');
}

function useSchema(
  place: ShownObjectPlace,
  at: string | undefined,
): Readonly<Record<string, readonly string[]>> {
  const tables = useQuery(tablesQuery(place, at));
  return useMemo(
    () => Object.fromEntries((tables.data ?? []).map(({ name, columns }) => [name, columns])),
    [tables.data],
  );
}

interface OutcomeProps {
  readonly result: ObjectRows | Executed;
  readonly object: StatefulObject;
}

function Outcome({ result, object }: OutcomeProps) {
  const place = usePlace();
  const undo = useWrite({
    write: (bookmark: string) => restore(place, bookmark, object.confirm),
    done: () => ['The change is undone', 'The object is what it was before the statement.'],
    failed: 'The change could not be undone',
  });
  const { rows, has_more: hasMore } = result;
  return (
    <>
      <span className="soft" role="status">
        {rows.length.toLocaleString()} {rows.length === 1 ? 'row' : 'rows'}
        {hasMore ? ', and more' : ''}
        {'undo' in result && `, ${result.rows_written.toLocaleString()} written`}
      </span>
      {'undo' in result && (
        <Button
          isBusy={undo.isPending}
          disabled={undo.isSuccess || !object.is_restorable}
          onClick={() => undo.mutate(result.undo)}
        >
          {undo.isSuccess ? 'Undone' : 'Undo'}
        </Button>
      )}
    </>
  );
}

interface StatementsProps {
  readonly statements: readonly string[];
  readonly onChoose: (sql: string) => void;
}

export function Statements({ statements, onChoose }: StatementsProps) {
  if (statements.length === 0) return null;
  return (
    <details>
      <summary>Earlier statements ({statements.length})</summary>
      <ul className="list scrolling">
        {statements.map((each) => (
          <li key={each}>
            <button type="button" className="objects-statement mono" onClick={() => onChoose(each)}>
              {each.length > 200 ? `${each.slice(0, 200)}…` : each}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
