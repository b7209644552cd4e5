/** `gatehouse objects sql`: SQL on the database of an object. */
import { changeDatabase, readDatabase } from '#operator';
import type { DatabaseCopy } from '#objects';
import { type Arguments, type Command, CommandError, UsageError } from '../command.ts';
import { readWholeNumber } from '../parse-arguments.ts';
import { readInput } from '../read-input.ts';
import { directoryOptions, printRow, readMoment, readPlace, timeOption, withAccess } from './directory.ts';

const rowsDefault = 1_000;
/** The shown length of a value in text; JSON has the complete value. */
const shownLengthMax = 1_000;

type SqlRow = Readonly<Record<string, string | number | null | ArrayBuffer>>;

export const sqlCommand: Command = {
  name: 'objects sql',
  parameters: '<class> <name-or-id> [query]',
  summary:
    "Run SQL on a copy of an object's database and print the rows; with --write, the result becomes the object's.",
  details: `The query is an argument, - for standard input, or in a file. Of several statements, the rows are those of the last one.

The same SQL is allowed as in the object's own code. It runs in this process, on a copy: a slow query does not slow down the server. With --write the object is reset; if it was written to in the meantime, nothing is changed. The bookmark that undoes it is printed on standard error.`,
  options: {
    ...directoryOptions,
    ...timeOption,
    file: { value: 'FILE', help: 'file that contains the query, - for standard input' },
    limit: { value: 'N', help: `maximum number of rows (${rowsDefault})` },
    write: { help: "let the query write, and replace the object's database with the result" },
  },
  async run(args) {
    const query = readQuery(args);
    const limit = readWholeNumber(args, 'limit', { min: 1, max: 1_000_000 }) ?? rowsDefault;
    const at = readMoment(args.values['time'], '--time');
    const isWrite = args.switches.has('write');
    if (isWrite && at !== undefined)
      throw new UsageError('--write changes the present: it cannot be used with --time');
    const run = (database: DatabaseCopy): Result => collect(database, { query, limit, isWrite });
    const { rows, hasMore } = await withAccess(
      args,
      isWrite ? 'change' : 'look',
      async (access, { show: onProgress }) => {
        const place = readPlace(args);
        if (!isWrite) return await readDatabase(access, place, { at, onProgress }, run);
        const { result, undo } = await changeDatabase(access, place, { onProgress }, run);
        process.stderr.write(
          `undo with: gatehouse objects restore ${place.class_name} ${place.object} ${undo}\n`,
        );
        return result;
      },
    );
    for (const row of rows) print(args, row);
    if (hasMore)
      process.stderr.write(`there are more rows: --limit ${limit * 10} shows up to ten times as many\n`);
  },
};

function readQuery({ positionals, values: { file } }: Arguments): string {
  const query = positionals[2];
  if ((query === undefined) === (file === undefined))
    throw new UsageError(
      'gatehouse objects sql needs a query, - for standard input, or --file, and not both of them',
    );
  return file === undefined && query !== '-' ? query! : readInput(file ?? '-');
}

interface Result {
  readonly rows: readonly SqlRow[];
  readonly hasMore: boolean;
}

function collect(
  database: DatabaseCopy,
  { query, limit, isWrite }: { readonly query: string; readonly limit: number; readonly isWrite: boolean },
): Result {
  try {
    const rows: SqlRow[] = [];
    for (const row of database.execScript(query)) {
      if (rows.length === limit) return { rows, hasMore: true };
      rows.push(row);
    }
    return { rows, hasMore: false };
  } catch (error) {
    const { message } = error as Error;
    const isRefused = !isWrite && message.startsWith('cannot write to the past');
    throw new CommandError(isRefused ? `the query writes: add --write to change the object` : message, {
      cause: error,
    });
  }
}

function print(args: Arguments, row: SqlRow): void {
  if (args.switches.has('json')) {
    const values = Object.entries(row).map(([name, value]) => [
      name,
      value instanceof ArrayBuffer ? { base64: Buffer.from(value).toString('base64') } : value,
    ]);
    process.stdout.write(`${JSON.stringify(Object.fromEntries(values))}\n`);
    return;
  }
  printRow(args, Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shorten(value)])));
}

function shorten(value: SqlRow[string]): string {
  const text =
    value instanceof ArrayBuffer
      ? `x'${Buffer.from(value, 0, Math.min(value.byteLength, shownLengthMax)).toString('hex')}'`
      : String(value ?? 'NULL');
  return text.length <= shownLengthMax
    ? text
    : `${text.slice(0, shownLengthMax)}… (${text.length} characters)`;
}
