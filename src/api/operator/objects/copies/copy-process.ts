/**
 * The process that queries a copy of an object's database: the file and the columns to hide are its arguments. The
 * query is read from standard input, because SQL can exceed the kernel's limit for arguments. It writes an empty line
 * when it starts, then JSON. SQLite cannot be interrupted, so a statement that never ends is stopped by killing the
 * process.
 */
import { readFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseCopy } from '#objects';
import { encodeValue } from '#values';
import { compareCopies } from './compare-copies.ts';
import type { CopyAnswers, CopyQuestion, CopyRows, CopyTable, ListedValue } from './copy-question.ts';
import type { SecretColumn } from '../inspection.ts';
import { maskSecrets } from './mask-secrets.ts';
import { isKeyAfter, showCell, showListedValue, showWholeValue } from '../show.ts';

const [file, secrets] = process.argv.slice(2) as [string, string];
/** Not through `process.stdin`, for which a pipe without data yet is an error. */
const standardInputFd = 0;
const question = JSON.parse(readFileSync(standardInputFd, 'utf8')) as CopyQuestion;

writeSync(process.stdout.fd, '\n');
{
  const files =
    question.kind === 'differences' && question.from !== undefined ? [file, question.from] : [file];
  for (const each of files) {
    using database = new DatabaseSync(each, { enableForeignKeyConstraints: false });
    maskSecrets(database, JSON.parse(secrets) as SecretColumn[]);
    // Deleted data is still in the free pages of a file.
    if (question.kind === 'export') database.exec('VACUUM');
  }
}
let answer: { result: CopyAnswers[CopyQuestion['kind']] } | { problem: string };
try {
  answer = { result: question.kind === 'differences' ? compareCopies(file, question) : ask(question) };
} catch (error) {
  answer = { problem: explain(error as Error) };
}
process.stdout.write(JSON.stringify(answer));

function ask(asked: Exclude<CopyQuestion, { kind: 'differences' }>): CopyAnswers[CopyQuestion['kind']] {
  using copy = new DatabaseCopy(file, { mode: asked.kind === 'rehearsal' ? 'write' : 'read' });
  switch (asked.kind) {
    case 'tables':
      return listTables(copy);
    case 'values':
      return listValues(copy, asked);
    case 'value': {
      const value = copy.get(asked.key);
      return value === undefined ? null : showWholeValue(asked.key, value, encodeValue(value).length);
    }
    case 'query':
    case 'rehearsal':
      return query(copy, asked.sql, asked.limit);
    case 'export':
      return true;
  }
}

function listTables(copy: DatabaseCopy): CopyTable[] {
  const names = copy
    .exec(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite|_%' ESCAPE '|' ORDER BY name",
    )
    .toArray()
    .map(({ name }) => name as string)
    .filter((name) => !name.startsWith('_cf_'));
  return names.map((name) => {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const { rows } = copy.exec(`SELECT count(*) AS rows FROM ${quoted}`).one();
    return { name, rows: Number(rows), columns: copy.exec(`SELECT * FROM ${quoted} LIMIT 0`).columnNames };
  });
}

function listValues(
  copy: DatabaseCopy,
  { prefix, after, limit }: CopyQuestion & { readonly kind: 'values' },
): ListedValue[] {
  const values: ListedValue[] = [];
  for (const [key, value] of copy.entries()) {
    if (!key.startsWith(prefix) || !isKeyAfter(key, after)) continue;
    if (values.length === limit) break;
    values.push(showListedValue(key, value, encodeValue(value).length));
  }
  return values;
}

function query(copy: DatabaseCopy, sql: string, limit: number): CopyRows {
  const cursor = copy.exec(sql);
  const rows: (string | number | null)[][] = [];
  for (const row of cursor.raw()) {
    if (rows.length === limit) return { columns: cursor.columnNames, rows, has_more: true };
    rows.push(row.map(showCell));
  }
  return { columns: cursor.columnNames, rows, has_more: false };
}

function explain({ message }: Error): string {
  return message.startsWith('cannot write to the past')
    ? 'the query writes: to change the object, unlock writing'
    : message;
}
