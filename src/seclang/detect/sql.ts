/**
 * Whether a value, put into an SQL statement where a number or a string was expected, would change what the statement
 * does. The value is read as it is and as the inside of a string in either quote; in each reading the words are put in
 * order, and their shape decides.
 */
import { readSqlTokens, type SqlToken, statements } from './sql-tokens.ts';

/** The words and marks that gave it away, as one text; `undefined` if there are none. */
export function findSqlInjection(value: string): string | undefined {
  if (value.length < 3 || !/['"`;#]|--|\/\*|[\s)\d+@&|=/\u00a0*]/.test(value)) return undefined;
  for (const quote of ['', "'", '"'] as const) {
    if (quote !== '' && !value.includes(quote)) continue;
    const tokens = readSqlTokens(value, quote);
    const shape = judgeShape(tokens, quote !== '');
    if (shape !== undefined) return shape;
  }
  return undefined;
}

function judgeShape(tokens: readonly SqlToken[], isInString: boolean): string | undefined {
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at]!;
    if (kind === 'keyword') {
      const shape = judgeKeyword(tokens, at);
      if (shape !== undefined) return shape;
    }
    if (kind === 'function' && (slowFunctions.has(text) || isOperand(tokens[at - 1]) || at === 0) && isCallOfInterest(tokens, at)) {
      return `${text}(`;
    }
    if (kind === ';' && beginsStatement(tokens, at + 1)) return `; ${tokens[at + 1]!.text}`;
    if ((kind === 'logical' || kind === 'comparison') && isOperand(tokens[at - 1])) {
      const shape = judgeCondition(tokens, at, isInString);
      if (shape !== undefined) return shape;
    }
  }
  return judgeTail(tokens, isInString);
}

/** A statement behind another one: its first word, and not a second one that could be prose. */
function beginsStatement(tokens: readonly SqlToken[], at: number): boolean {
  const [first, second, third] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (first === undefined || !statements.has(first.text)) return false;
  return second?.kind !== 'name' || third === undefined || third.kind !== 'name';
}

const slowFunctions = new Set(['SLEEP', 'PG_SLEEP', 'BENCHMARK', 'EXTRACTVALUE', 'UPDATEXML', 'LOAD_FILE', 'XP_CMDSHELL', 'RANDOMBLOB', 'NAME_CONST']);

function isCallOfInterest(tokens: readonly SqlToken[], at: number): boolean {
  const [open, first] = [tokens[at + 1], tokens[at + 2]];
  return open?.kind === '(' && (slowFunctions.has(tokens[at]!.text) ? first !== undefined && first.kind !== 'name' : first?.kind === ')' || first?.kind === 'number' || first?.kind === 'variable' || first?.kind === 'function');
}

function judgeKeyword(tokens: readonly SqlToken[], at: number): string | undefined {
  const { text } = tokens[at]!;
  const next = skip(tokens, at + 1, '(');
  const after = tokens[next]?.text;
  const before = tokens[at - 1];
  if (text === 'UNION' && (before === undefined || isOperand(before) || before.kind === 'comment')) {
    const select = tokens[next]?.text === 'ALL' || after === 'DISTINCT' ? skip(tokens, next + 1, '(') : next;
    if (tokens[select]?.text === 'SELECT') return 'UNION SELECT';
  }
  if (text === 'SELECT' && tokens[next] !== undefined) {
    const from = tokens.findIndex((token, index) => index > at && token.text === 'FROM');
    const first = tokens[next]!;
    const isList = first.kind !== 'name' || tokens[next + 1]?.kind === ',' || tokens[next + 1]?.kind === '(' || tokens[next + 1]?.text === 'FROM';
    if (from !== -1 && from - at < 40 && isList && tokens[from + 1] !== undefined && (first.kind !== 'name' || from === next + 1 || tokens[next + 1]?.kind === ',' || tokens[next + 1]?.kind === '(')) {
      if (from !== next + 1 || first.kind !== 'name' || before !== undefined) return 'SELECT FROM';
    }
    if ((first.kind === 'variable' && first.text.startsWith('@@')) || (first.kind === 'function' && tokens[next + 1]?.kind === '(')) return 'SELECT function';
    if (before !== undefined && (before.kind === '(' || before.kind === ';') && first.kind !== 'name') return '( SELECT';
  }
  if (text === 'WAITFOR' && (after === 'DELAY' || after === 'TIME')) return 'WAITFOR DELAY';
  if (text === 'INTO' && (after === 'OUTFILE' || after === 'DUMPFILE')) return 'INTO OUTFILE';
  if ((text === 'DROP' || text === 'TRUNCATE') && (after === 'TABLE' || after === 'DATABASE') && tokens[next + 1] !== undefined) return `${text} ${after}`;
  if (text === 'INSERT' && after === 'INTO' && tokens.some((token) => token.text === 'VALUES' || token.text === 'SELECT')) return 'INSERT INTO';
  if ((text === 'EXEC' || text === 'EXECUTE') && (tokens[next]?.kind === 'variable' || /^(?:XP|SP)_/.test(after ?? ''))) return 'EXEC';
  if ((text === 'ORDER' || text === 'GROUP') && after === 'BY' && tokens[next + 1]?.kind === 'number' && isOperand(before)) return `${text} BY`;
  if (text === 'HAVING' && isOperand(before) && (tokens[next]?.kind === 'number' || tokens[next]?.kind === 'string')) return 'HAVING';
  if (text === 'CASE' && after === 'WHEN' && before !== undefined) return 'CASE WHEN';
  return text === 'PROCEDURE' && after === 'ANALYSE' ? 'PROCEDURE ANALYSE' : undefined;
}

/** `… OR 1=1`, `' OR 'a'='a`, `1 AND SLEEP(5)`, `' = '`. */
function judgeCondition(tokens: readonly SqlToken[], at: number, isInString: boolean): string | undefined {
  const { kind, text } = tokens[at]!;
  let right = at + 1;
  while (tokens[right] !== undefined && (tokens[right]!.kind === '(' || tokens[right]!.text === 'NOT' || tokens[right]!.text === '!' || tokens[right]!.text === '-' || tokens[right]!.text === '+' || tokens[right]!.text === '~')) right++;
  const operand = tokens[right];
  if (operand === undefined) return undefined;
  const isLiteral = operand.kind === 'number' || operand.kind === 'string' || operand.kind === 'open-string' || operand.kind === 'variable';
  if (kind === 'logical') {
    if (operand.kind === 'keyword' && (operand.text === 'SELECT' || operand.text === 'CASE' || operand.text === 'IF' || operand.text === 'EXISTS')) return `${text} ${operand.text}`;
    if (operand.kind === 'function') return `${text} ${operand.text}(`;
    const compared = tokens[right + 1];
    const other = tokens[right + 2];
    const compares = compared?.kind === 'comparison' && other !== undefined;
    if (compares && (isLiteral || isOperandKind(other)) && (isLiteral || isInString || other.kind !== 'name')) return `${text} ${compared.text}`;
    if (isLiteral && (isInString || operand.kind !== 'number') && (compared === undefined || compared.kind === 'comment')) return `${text} literal`;
    if (operand.kind === 'number' && (compared?.kind === 'comment' || (compared === undefined && tokens[at - 1]!.kind !== 'name'))) return `${text} number`;
    return undefined;
  }
  if (isInString && at === 1 && (operand.kind === 'open-string' || operand.kind === 'string')) return `string ${text} string`;
  return undefined;
}

/** A quote that ends the string, and a comment that hides the rest of the statement. */
function judgeTail(tokens: readonly SqlToken[], isInString: boolean): string | undefined {
  const last = tokens.at(-1);
  if (!isInString || last === undefined || tokens.length < 2 || tokens.length > 8) return undefined;
  const second = tokens[1]!;
  if (last.kind === 'comment' && (tokens.length === 2 || second.kind === ')' || second.kind === ';')) return 'string comment';
  if (second.kind === 'operator' && (second.text === '+' || second.text === '-' || second.text === '*' || second.text === '/' || second.text === '|') && tokens.length >= 3 && last.kind === 'open-string') {
    return `string ${second.text} string`;
  }
  return undefined;
}

function isOperand(token: SqlToken | undefined): boolean {
  return token !== undefined && isOperandKind(token);
}

function isOperandKind({ kind, text }: SqlToken): boolean {
  return kind === 'name' || kind === 'number' || kind === 'string' || kind === 'open-string' || kind === 'variable' || kind === ')' || kind === 'function' || text === 'END';
}

function skip(tokens: readonly SqlToken[], from: number, kind: string): number {
  let at = from;
  while (tokens[at]?.kind === kind) at++;
  return at;
}
