/** SQL on an object: reading statements run on a copy; writing ones, once unlocked, on the object itself. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { describeError } from '../../../api/api-error.ts';
import { Button } from '../../../parts/button.tsx';
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
import { QueryConsole } from './query-console.tsx';
import { RowsTable } from './rows-table.tsx';
import { countThings } from '../../../parts/reading/count-things.ts';

interface Run extends PartProps {
  readonly place: ShownObjectPlace;
  readonly sql: string;
}

/** A copy is tried first: only a writing statement runs on the object, which resets it. */
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
  const moment = at === undefined ? 'the current state' : 'the state at the selected moment';
  const schema = useSchema(place, at);
  return (
    <>
      {at === undefined && <WritingBar object={object} writing={writing} />}
      <QueryConsole
        place={pathOf(place)}
        run={(sql) => run({ ...props, place, sql })}
        hint={`Reads a copy of ${moment}, for 10 seconds at most.${writing.isUnlocked ? ' Statements that write change the object, in one transaction.' : ''}`}
        schema={schema}
        summary={(result) => <Outcome result={result} object={object} />}
      >
        {(result) => <RowsTable label="Result" rows={result} />}
      </QueryConsole>
    </>
  );
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
    done: () => ['The change is undone', 'The object is back in the state before the statement.'],
    failed: 'The change could not be undone',
  });
  const { rows, has_more: hasMore } = result;
  return (
    <>
      <span className="soft" role="status">
        {countThings(rows.length, 'row')}
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
