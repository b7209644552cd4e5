/** Editing and running SQL, with the previous statements: on an object, or on a database. */
import { type ReactNode, Suspense, useId, useMemo, useState } from 'react';
import { describeError } from '../../../api/api-error.ts';
import { Button } from '../../../parts/button.tsx';
import { useWrite } from '../../../parts/forms/use-write.ts';
import { Loading } from '../../../parts/reading/states.tsx';
import { lazyEditor } from '../../../parts/text-editor/lazy-editor.tsx';
import { keepStatement, readStatements } from './statements.ts';

const SqlEditor = lazyEditor(async () => (await import('./sql-editor.tsx')).SqlEditor);

interface QueryConsoleProps<Answer> {
  /** The key under which previous statements are stored. */
  readonly place: string;
  readonly run: (sql: string) => Promise<Answer>;
  /** What running does, while there is no error. */
  readonly hint: string;
  /** The columns of each table, for completion. */
  readonly schema?: Readonly<Record<string, readonly string[]>>;
  /** A short text, beside the button. */
  readonly summary?: (answer: Answer) => ReactNode;
  readonly children: (answer: Answer) => ReactNode;
}

/** Completion of SQL keywords only. */
const noSchema = {};

export function QueryConsole<Answer>(props: QueryConsoleProps<Answer>) {
  const { place, run, hint, schema = noSchema, summary, children } = props;
  const [sql, setSql] = useState("SELECT name, sql FROM sqlite_schema WHERE type = 'table'");
  const [statements, setStatements] = useState(() => readStatements(place));
  const messageId = useId();
  const query = useWrite({ write: run });
  const { data, error, variables } = query;
  const mistake = useMemo(
    () => (error === null ? undefined : findMistake(error, variables)),
    [error, variables],
  );
  const start = (text: string): void => {
    if (query.isPending || text.trim() === '') return;
    query.mutate(text, { onSettled: () => setStatements(keepStatement(place, text)) });
  };
  return (
    <>
      <div className="stack-close">
        <Suspense fallback={<Loading rows={3} />}>
          <SqlEditor
            value={sql}
            onChange={setSql}
            onRun={start}
            label="Query"
            describedBy={messageId}
            schema={schema}
            mistake={mistake}
          />
        </Suspense>
        <p id={messageId} className={query.isError ? 'form-error' : 'field-hint'} role="status">
          {error === null ? hint : explain(error)}
        </p>
        <div className="row">
          <Button look="primary" isBusy={query.isPending} onClick={() => start(sql)}>
            Run
          </Button>
          <span className="soft">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
          {data !== undefined && summary?.(data)}
        </div>
        <Statements statements={statements} onChoose={setSql} />
      </div>
      {data !== undefined && children(data)}
    </>
  );
}

/** SQLite counts bytes; the editor counts characters. */
function findMistake(
  error: unknown,
  sql: string | undefined,
): { readonly at: number; readonly message: string } | undefined {
  const message = explain(error);
  const offset = /at offset (\d+)/.exec(message)?.[1];
  if (offset === undefined || sql === undefined) return undefined;
  const before = new TextEncoder().encode(sql).subarray(0, Number(offset));
  return { at: new TextDecoder().decode(before).length, message };
}

/** Without the name of the API, which does not help a user. */
function explain(error: unknown): string {
  return describeError(error).replace(/^objects\.api\.\w+: /, '');
}

interface StatementsProps {
  readonly statements: readonly string[];
  readonly onChoose: (sql: string) => void;
}

function Statements({ statements, onChoose }: StatementsProps) {
  if (statements.length === 0) return null;
  return (
    <details>
      <summary>Earlier statements ({statements.length.toLocaleString()})</summary>
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
