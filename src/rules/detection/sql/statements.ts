/**
 * Statements that stand alone, or after a semicolon: the confidence that the text is one, from 0 to 95. Sentences start
 * with the same verbs ("Select a date from the list"), so only parts that do not occur in sentences count.
 */
import type { ShapeReader } from './shape-reader.ts';

export function readStatement(reader: ShapeReader): number {
  const verb = reader.peek()!.text;
  const read = readers[verb];
  return read === undefined ? readAny(reader) : read(reader);
}

type StatementReader = (reader: ShapeReader) => number;

function next(reader: ShapeReader): string {
  const token = reader.peek();
  if (token !== undefined) reader.take(token.type);
  return token?.text ?? '';
}

/** Whether nothing follows, or what follows is another statement or a comment. */
function isEnd(reader: ShapeReader): boolean {
  return reader.isAtEnd || reader.peek()?.type === ';';
}

const readSelect: StatementReader = (reader) => {
  const isRead = reader.readSelect();
  if (reader.writesFile || reader.isUnmistakable) return 95;
  if (reader.hasUnion && !reader.isTelling) return 65;
  if (reader.hasCatalogue) return 92;
  if (!isRead) return 0;
  if (reader.isTelling) return isEnd(reader) ? 88 : 0;
  if (!isEnd(reader)) return 0;
  if (reader.hasVariable) return 85;
  if (reader.hasFrom && reader.hasSelectList) return reader.isAtComment ? 80 : 55;
  return reader.hasSubquery || reader.comparesConstants ? 80 : 30;
};

const objects: ReadonlySet<string> = new Set([
  'table',
  'database',
  'schema',
  'view',
  'procedure',
  'function',
  'user',
  'login',
  'trigger',
  'index',
  'column',
]);

/** `drop table users`, `create user x`. */
const readDefinition: StatementReader = (reader) => {
  next(reader);
  reader.takeWord('or');
  reader.takeWord('replace', 'temporary', 'temp');
  if (!objects.has(next(reader))) return 0;
  if (reader.takeWord('if')) while (reader.takeWord('not', 'exists'));
  const name = reader.peek();
  if (name?.type !== 'word') return 0;
  next(reader);
  while (reader.take('.')) next(reader);
  const isWhole = isEnd(reader) || reader.peek()?.type === '(' || reader.peek()?.type === ',';
  if (!isWhole && !reader.takeWord('add', 'as', 'with', 'identified', 'drop', 'modify', 'cascade')) return 0;
  return reader.peek()?.type === ';' || reader.isAtComment ? 90 : 75;
};

const readInsert: StatementReader = (reader) => {
  next(reader);
  reader.takeWord('ignore');
  if (!reader.takeWord('into') || reader.peek()?.type !== 'word') return 0;
  next(reader);
  while (reader.take('.')) next(reader);
  if (reader.peek()?.type === '(' && !reader.readExpression()) return 0;
  return reader.takeWord('values', 'select', 'exec') ? 72 : 0;
};

const readUpdate: StatementReader = (reader) => {
  next(reader);
  if (reader.peek()?.type !== 'word') return 0;
  next(reader);
  while (reader.take('.')) next(reader);
  if (!reader.takeWord('set')) return 0;
  return reader.readExpression() && (reader.comparesNames || reader.comparesConstants) ? 72 : 0;
};

const readDelete: StatementReader = (reader) => {
  next(reader);
  if (!reader.takeWord('from') || reader.peek()?.type !== 'word') return 0;
  next(reader);
  while (reader.take('.')) next(reader);
  if (isEnd(reader)) return reader.peek() === undefined ? 60 : 85;
  return reader.takeWord('where') && reader.readExpression() && isEnd(reader) ? 72 : 0;
};

const readExecute: StatementReader = (reader) => {
  next(reader);
  while (reader.take('('));
  const token = reader.peek();
  if (token === undefined) return 0;
  if (token.type === 'variable') return 88;
  if (token.type === 'string' && reader.peek(1)?.text === '+') return 82;
  if (token.type === 'string')
    return /xp_|sp_|\bselect\b|\bdrop\b|\binsert\b|master|waitfor/i.test(token.text) ? 85 : 0;
  let name = next(reader);
  while (reader.peek()?.type === '.') {
    while (reader.take('.'));
    name = next(reader);
  }
  if (/^(?:xp|sp)_\w+$/.test(name)) return 95;
  return name === 'immediate' || name === 'master' ? 88 : 0;
};

const readDeclare: StatementReader = (reader) => {
  next(reader);
  return reader.peek()?.type === 'variable' && reader.peek()!.text.length > 1 ? 92 : 0;
};

const readSet: StatementReader = (reader) => {
  next(reader);
  if (reader.peek()?.type !== 'variable' || reader.peek()!.text.length < 2) return 0;
  next(reader);
  return reader.peek()?.text === '=' || reader.peek()?.text === ':=' ? 85 : 0;
};

const readWaitfor: StatementReader = (reader) => {
  next(reader);
  if (!reader.takeWord('delay', 'time')) return 0;
  const token = reader.peek();
  return token?.type === 'string' || token?.type === 'variable' ? 96 : 0;
};

/** `copy (select '') to program 'id'`, `copy t from program 'id'`. */
const readCopy: StatementReader = (reader) => {
  next(reader);
  if (reader.peek()?.type === '(') {
    if (!reader.readExpression()) return 0;
  } else if (reader.peek()?.type === 'word') {
    next(reader);
    if (reader.peek()?.type === '(' && !reader.readExpression()) return 0;
  } else return 0;
  if (!reader.takeWord('to', 'from')) return 0;
  if (reader.takeWord('program')) return 96;
  return reader.peek()?.type === 'string' ? 85 : 0;
};

const readIf: StatementReader = (reader) => {
  next(reader);
  if (!reader.readExpression()) return reader.isUnmistakable ? 92 : 0;
  if (reader.isUnmistakable) return 92;
  if (reader.peek()?.text === 'waitfor') return readWaitfor(reader);
  if (reader.takeWord('exists')) return 0;
  return reader.comparesConstants && (reader.calls || isEnd(reader)) && reader.hasVariable ? 85 : 0;
};

const readShutdown: StatementReader = (reader) => {
  next(reader);
  reader.takeWord('with');
  reader.takeWord('nowait');
  return reader.isAtComment || reader.peek()?.type === ';' ? 85 : 40;
};

const readLoad: StatementReader = (reader) => {
  next(reader);
  return reader.takeWord('data') && (reader.takeWord('local') || true) && reader.takeWord('infile') ? 92 : 0;
};

/** `do $$ … $$`, `call f()`, `handler t open`, `attach database 'x' as y`, `use master`. */
const readAny: StatementReader = (reader) => {
  const verb = next(reader);
  if (verb === 'attach') return reader.takeWord('database') && reader.peek()?.type === 'string' ? 92 : 0;
  if (verb === 'handler') return (next(reader), reader.takeWord('open', 'read')) ? 85 : 0;
  if (verb === 'do' || verb === 'call' || verb === 'return' || verb === 'print') {
    reader.readExpression();
    return reader.isUnmistakable ? 92 : reader.risky !== undefined && isEnd(reader) ? 80 : 0;
  }
  // `begin declare …`
  const inner = verb === 'begin' ? reader.peek() : undefined;
  return inner?.type === 'word' && inner.text !== 'begin' && readers[inner.text] !== undefined
    ? readStatement(reader)
    : 0;
};

const readers: Readonly<Record<string, StatementReader>> = {
  select: readSelect,
  drop: readDefinition,
  alter: readDefinition,
  create: readDefinition,
  truncate: readDefinition,
  insert: readInsert,
  replace: readInsert,
  update: readUpdate,
  delete: readDelete,
  exec: readExecute,
  execute: readExecute,
  declare: readDeclare,
  set: readSet,
  waitfor: readWaitfor,
  copy: readCopy,
  if: readIf,
  shutdown: readShutdown,
  load: readLoad,
};
