/**
 * Whether a value would change the effect of an SQL statement in which a number or a string was expected. The value is
 * read directly and as the inside of a string in either quote; in each reading the structure of the tokens decides.
 */
import { judgeKeyword } from './sql-keywords.ts';
import { isOperand, isOperandKind, readSqlTokens, type SqlToken, statements } from './sql-tokens.ts';

/** The suspicious words and punctuation, as one text; `undefined` if there are none. */
export function findSqlInjection(value: string): string | undefined {
  if (!mayInject(value)) return undefined;
  for (const quote of ['', "'", '"'] as const) {
    if (quote !== '' && !value.includes(quote)) continue;
    const shape = judgeShape(readSqlTokens(value, quote), quote !== '');
    if (shape !== undefined) return shape;
  }
  return undefined;
}

/** Each structure needs a quote, or a word or mark of SQL together with a character that is not a letter. */
function mayInject(value: string): boolean {
  if (value.length < 3) return false;
  return /['"]/.test(value) || (sign.test(value) && wordOrSign.test(value));
}

const sign = /[\d=<>(;@*/#-]/;
const words =
  'select union drop truncate exec execute order group waitfor into insert having case procedure and or xor not';
const wordOrSign = new RegExp(String.raw`&&|\|\||;|\(|\b(?:${words.replaceAll(' ', '|')})\b`, 'i');

/** Every value that is judged further contains one of these. */
export const signsOfSql: readonly string[] = ["'", '"', '&&', '||', ';', '(', ...words.split(' ')];

function judgeShape(tokens: readonly SqlToken[], isInString: boolean): string | undefined {
  for (let at = 0; at < tokens.length; at++) {
    const shape = judgeToken(tokens, at, isInString);
    if (shape !== undefined) return shape;
  }
  return judgeTail(tokens, isInString);
}

function judgeToken(tokens: readonly SqlToken[], at: number, isInString: boolean): string | undefined {
  const { kind, text } = tokens[at]!;
  const before = tokens[at - 1];
  if (kind === 'keyword') return judgeKeyword(tokens, at);
  if (kind === 'function') return isCallOfInterest(tokens, at) ? `${text}(` : undefined;
  if (kind === ';') return beginsStatement(tokens, at + 1) ? `; ${tokens[at + 1]!.text}` : undefined;
  if (!isOperand(before)) return undefined;
  if (kind === 'logical') return judgeLogical(tokens, at, isInString);
  if (kind !== 'comparison' || !isInString || at !== 1) return undefined;
  const operand = tokens[findOperand(tokens, at + 1)];
  return operand?.kind === 'open-string' || operand?.kind === 'string' ? `string ${text} string` : undefined;
}

/** Whether a statement starts here: its first word, not followed by two names as in prose. */
function beginsStatement(tokens: readonly SqlToken[], at: number): boolean {
  const [first, second, third] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (first === undefined || !statements.has(first.text)) return false;
  return second?.kind !== 'name' || third === undefined || third.kind !== 'name';
}

/** Functions that are called for their effect, not for their result. */
const effects: ReadonlySet<string> = new Set(
  'SLEEP PG_SLEEP BENCHMARK EXTRACTVALUE UPDATEXML LOAD_FILE XP_CMDSHELL RANDOMBLOB NAME_CONST'.split(' '),
);

function isCallOfInterest(tokens: readonly SqlToken[], at: number): boolean {
  const [open, first] = [tokens[at + 1], tokens[at + 2]];
  if (open?.kind !== '(' || first === undefined) return false;
  if (effects.has(tokens[at]!.text)) return first.kind !== 'name';
  const followsOperand = at === 0 || isOperand(tokens[at - 1]);
  return followsOperand && [')', 'number', 'variable', 'function'].includes(first.kind);
}

const decidingKeywords: ReadonlySet<string> = new Set(['SELECT', 'CASE', 'IF', 'EXISTS']);

/** `… OR 1=1`, `' OR 'a'='a`, `1 AND SLEEP(5)`. */
function judgeLogical(tokens: readonly SqlToken[], at: number, isInString: boolean): string | undefined {
  const { text } = tokens[at]!;
  const right = findOperand(tokens, at + 1);
  const [operand, compared, other] = [tokens[right], tokens[right + 1], tokens[right + 2]];
  if (operand === undefined) return undefined;
  if (operand.kind === 'function') return `${text} ${operand.text}(`;
  if (operand.kind === 'keyword')
    return decidingKeywords.has(operand.text) ? `${text} ${operand.text}` : undefined;
  const isLiteral = ['number', 'string', 'open-string', 'variable'].includes(operand.kind);
  if (compared?.kind === 'comparison' && other !== undefined) {
    const isCondition = isLiteral || (isOperandKind(other) && (isInString || other.kind !== 'name'));
    if (isCondition) return `${text} ${compared.text}`;
  }
  const endsHere = compared === undefined || compared.kind === 'comment';
  if (isLiteral && endsHere && (isInString || operand.kind !== 'number')) return `${text} literal`;
  if (operand.kind !== 'number') return undefined;
  const isTail = compared?.kind === 'comment' || (compared === undefined && tokens[at - 1]!.kind !== 'name');
  return isTail ? `${text} number` : undefined;
}

const prefixes: ReadonlySet<string> = new Set(['(', 'NOT', '!', '-', '+', '~']);

/** The position after brackets and marks. */
function findOperand(tokens: readonly SqlToken[], from: number): number {
  let at = from;
  while (tokens[at] !== undefined && prefixes.has(tokens[at]!.text)) at++;
  return at;
}

const joiners: ReadonlySet<string> = new Set(['+', '-', '*', '/', '|']);

/** A quote that ends the string, and a comment that hides the rest of the statement. */
function judgeTail(tokens: readonly SqlToken[], isInString: boolean): string | undefined {
  const [second, last] = [tokens[1], tokens.at(-1)];
  if (!isInString || second === undefined || last === undefined || tokens.length > 8) return undefined;
  if (last.kind === 'comment' && (tokens.length === 2 || second.kind === ')' || second.kind === ';')) {
    return 'string comment';
  }
  const isJoined = second.kind === 'operator' && joiners.has(second.text) && last.kind === 'open-string';
  return isJoined ? `string ${second.text} string` : undefined;
}
