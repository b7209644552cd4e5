/**
 * Finds a value in a JSON text by its path, without building anything except the one `JSON.parse` that checks whether the
 * text is valid JSON. The result is the value's own text, because `2.0` is not an integer although its value is.
 */
import { textOf } from '#text';

/** The name of a member, a binary string, or the index of an element. */
export type PathKey = string | number;

/** The text of the value at the path; undefined if the bytes are not valid JSON or have no such value. */
export function findInJson(
  bytes: string | undefined,
  path: readonly (PathKey | undefined)[],
): string | undefined {
  const text = bytes === undefined ? undefined : textOf(bytes);
  if (text === undefined || !isJson(text)) return undefined;
  let start: number | undefined = skipSpace(text, 0);
  for (const key of path) {
    if (key === undefined) return undefined;
    start =
      typeof key === 'number'
        ? findElementStart(text, start, key)
        : findMemberStart(text, start, textOf(key));
    if (start === undefined) return undefined;
  }
  return text.slice(start, findValueEnd(text, start));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function findElementStart(text: string, start: number, index: number): number | undefined {
  if (text[start] !== '[') return undefined;
  let position = skipSpace(text, start + 1);
  for (let current = 0; text[position] !== ']'; current++) {
    if (current === index) return position;
    position = skipComma(text, findValueEnd(text, position));
  }
  return undefined;
}

/** Of several members with the same name, the last one counts, as in JavaScript. */
function findMemberStart(text: string, start: number, name: string | undefined): number | undefined {
  if (text[start] !== '{') return undefined;
  let found: number | undefined;
  let position = skipSpace(text, start + 1);
  while (text[position] !== '}') {
    const nameEnd = findStringEnd(text, position);
    const isMatch = JSON.parse(text.slice(position, nameEnd)) === name;
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1);
    if (isMatch) found = value;
    position = skipComma(text, findValueEnd(text, value));
  }
  return found;
}

function skipSpace(text: string, from: number): number {
  let position = from;
  while (/[ \t\r\n]/.test(text[position] ?? '')) position++;
  return position;
}

/** Moves to the next element, or to the closing bracket. */
function skipComma(text: string, from: number): number {
  const position = skipSpace(text, from);
  return text[position] === ',' ? skipSpace(text, position + 1) : position;
}

function findStringEnd(text: string, start: number): number {
  let position = start + 1;
  while (text[position] !== '"') position += text[position] === '\\' ? 2 : 1;
  return position + 1;
}

/** The offset after a value in valid JSON. */
function findValueEnd(text: string, start: number): number {
  let depth = 0;
  let position = start;
  do {
    const character = text[position]!;
    if (character === '"') {
      position = findStringEnd(text, position);
      continue;
    }
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (depth === 0) return findScalarEnd(text, position);
    position++;
  } while (depth > 0);
  return position;
}

const scalarPattern = /[^,\]}\s]+/y;

function findScalarEnd(text: string, start: number): number {
  scalarPattern.lastIndex = start;
  scalarPattern.test(text);
  return scalarPattern.lastIndex;
}
