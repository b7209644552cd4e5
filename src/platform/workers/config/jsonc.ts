/**
 * Hand-written JSON: with comments and trailing commas. Errors name the line and the column, and a duplicate key in one
 * object is an error rather than a surprise.
 */
import { printParseErrorCode, visit } from 'jsonc-parser';
import { ConfigError } from './config-error.ts';

/** Deeper than any sane configuration, shallow enough for the stack. */
const depthMax = 64;

const badString = 'this string holds an escape or a character that JSON does not allow';
/** Errors inside one token. Everything else is a misplaced token. */
const tokenErrors: Readonly<Record<string, string>> = {
  InvalidCharacter: badString,
  InvalidEscapeCharacter: badString,
  InvalidUnicode: badString,
  UnexpectedEndOfComment: 'this comment does not end',
  UnexpectedEndOfNumber: 'this number lacks its last digits',
  UnexpectedEndOfString: 'this string does not end on its line',
};

type Container = unknown[] | Map<string, unknown>;

export function parseJsonc(text: string, file: string): unknown {
  const values: unknown[] = [];
  const open: Container[] = [values];
  const keys: string[] = [];
  let expected = 'a value was expected';

  const fail = (problem: string, line: number, column: number): never => {
    throw new ConfigError(`${file}:${line + 1}:${column + 1}: ${problem}`);
  };
  const expectEntry = (): void => {
    expected = Array.isArray(open.at(-1))
      ? 'a value was expected'
      : 'a key in double quotes or } was expected';
  };
  const begin = (container: Container, line: number, column: number): void => {
    if (open.length > depthMax) fail(`nested more than ${depthMax} levels deep`, line, column);
    open.push(container);
    expectEntry();
  };
  const add = (value: unknown): void => {
    const container = open.at(-1)!;
    if (!Array.isArray(container)) container.set(keys.pop()!, value);
    else container.push(value);
    if (container === values) expected = 'nothing was expected after the value';
    else expected = `, or ${Array.isArray(container) ? ']' : '}'} was expected`;
  };
  const end = (offset: number): void => {
    // The end of the file also closes everything, and is then an error.
    if (offset === text.length) return;
    const container = open.pop()!;
    add(Array.isArray(container) ? container : Object.fromEntries(container));
  };

  visit(
    text.replace(/^\ufeff/, ' '),
    {
      onObjectBegin: (_offset, _length, line, column) => begin(new Map(), line, column),
      onArrayBegin: (_offset, _length, line, column) => begin([], line, column),
      onObjectProperty(key, _offset, _length, line, column) {
        const object = open.at(-1) as Map<string, unknown>;
        if (object.has(key)) fail(`the key "${key}" appears twice in one object`, line, column);
        keys.push(key);
        expected = `: was expected after the key "${key}"`;
      },
      onSeparator(separator) {
        if (separator === ':') expected = 'a value was expected';
        else expectEntry();
      },
      onLiteralValue: add,
      onArrayEnd: end,
      onObjectEnd: end,
      onError(code, offset, _length, line, column) {
        const found = offset < text.length ? JSON.stringify(text[offset]) : 'the file ends';
        fail(tokenErrors[printParseErrorCode(code)] ?? `${expected}: ${found}`, line, column);
      },
    },
    { allowTrailingComma: true },
  );
  return values[0];
}
