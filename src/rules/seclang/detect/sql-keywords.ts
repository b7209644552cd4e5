/** The text after a keyword decides whether it is SQL or prose: one check for each suspicious keyword. */
import { isOperand, type SqlToken } from './sql-tokens.ts';

interface KeywordPlace {
  readonly tokens: readonly SqlToken[];
  readonly at: number;
  readonly before: SqlToken | undefined;
  /** The position after opening brackets. */
  readonly next: number;
  readonly after: string | undefined;
}

type Judge = (place: KeywordPlace) => string | undefined;

export function judgeKeyword(tokens: readonly SqlToken[], at: number): string | undefined {
  const judge = judges[tokens[at]!.text];
  if (judge === undefined) return undefined;
  const next = skipBrackets(tokens, at + 1);
  return judge({ tokens, at, before: tokens[at - 1], next, after: tokens[next]?.text });
}

/** Words between SELECT and FROM at most: farther apart they are two sentences. */
const selectedMax = 40;

const judgeSelect: Judge = ({ tokens, at, before, next }) => {
  const first = tokens[next];
  if (first === undefined) return undefined;
  const second = tokens[next + 1];
  const from = tokens.findIndex((token, index) => index > at && token.text === 'FROM');
  const isList = first.kind !== 'name' || second?.kind === ',' || second?.kind === '(' || from === next + 1;
  if (from !== -1 && from - at < selectedMax && isList && tokens[from + 1] !== undefined) {
    if (from !== next + 1 || first.kind !== 'name' || before !== undefined) return 'SELECT FROM';
  }
  if (first.kind === 'variable' && first.text.startsWith('@@')) return 'SELECT @@';
  if (first.kind === 'function' && second?.kind === '(') return 'SELECT function';
  return (before?.kind === '(' || before?.kind === ';') && first.kind !== 'name' ? '( SELECT' : undefined;
};

const judgeUnion: Judge = ({ tokens, before, next, after }) => {
  if (before !== undefined && !isOperand(before) && before.kind !== 'comment') return undefined;
  const select = after === 'ALL' || after === 'DISTINCT' ? skipBrackets(tokens, next + 1) : next;
  return tokens[select]?.text === 'SELECT' ? 'UNION SELECT' : undefined;
};

const judgeRemoval: Judge = ({ tokens, at, next, after }) =>
  (after === 'TABLE' || after === 'DATABASE') && tokens[next + 1] !== undefined
    ? `${tokens[at]!.text} ${after}`
    : undefined;

const judgeExecution: Judge = ({ tokens, next, after }) =>
  tokens[next]?.kind === 'variable' || /^(?:XP|SP)_/.test(after ?? '') ? 'EXEC' : undefined;

const judgeOrder: Judge = ({ tokens, at, before, next, after }) =>
  after === 'BY' && tokens[next + 1]?.kind === 'number' && isOperand(before)
    ? `${tokens[at]!.text} BY`
    : undefined;

const judges: Readonly<Record<string, Judge | undefined>> = {
  SELECT: judgeSelect,
  UNION: judgeUnion,
  DROP: judgeRemoval,
  TRUNCATE: judgeRemoval,
  EXEC: judgeExecution,
  EXECUTE: judgeExecution,
  ORDER: judgeOrder,
  GROUP: judgeOrder,
  WAITFOR: ({ after }) => (after === 'DELAY' || after === 'TIME' ? 'WAITFOR DELAY' : undefined),
  INTO: ({ after }) => (after === 'OUTFILE' || after === 'DUMPFILE' ? 'INTO OUTFILE' : undefined),
  INSERT: ({ tokens, after }) =>
    after === 'INTO' && tokens.some(({ text }) => text === 'VALUES' || text === 'SELECT')
      ? 'INSERT INTO'
      : undefined,
  HAVING: ({ tokens, before, next }) =>
    isOperand(before) && (tokens[next]?.kind === 'number' || tokens[next]?.kind === 'string')
      ? 'HAVING'
      : undefined,
  CASE: ({ before, after }) => (after === 'WHEN' && before !== undefined ? 'CASE WHEN' : undefined),
  PROCEDURE: ({ after }) => (after === 'ANALYSE' ? 'PROCEDURE ANALYSE' : undefined),
};

function skipBrackets(tokens: readonly SqlToken[], from: number): number {
  let at = from;
  while (tokens[at]?.kind === '(') at++;
  return at;
}
