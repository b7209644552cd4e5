/**
 * The string arguments of a GraphQL document, each with its path: `addComment.input.text` for
 * `mutation { addComment(input: {text: "…"}) { id } }`, `$text` for the default of a variable. Text before a syntax
 * error is read nevertheless; each byte is read once.
 */
import { argumentsMax } from '../limits.ts';

export interface GraphqlString {
  readonly name: string;
  /** With its escapes decoded. */
  readonly value: string;
  /** The offset of the text between the quotes. */
  readonly start: number;
  readonly end: number;
}

const documentStart =
  /^[\s,]{0,64}(?:(?:query|mutation|subscription|fragment)\b[^{]{0,2000})?\{[\s,]{0,64}[A-Za-z_.#]/;

/** Whether the text is a document, judged by its start: `{ "a": 1 }` is not. */
export function looksLikeGraphql(text: string): boolean {
  return documentStart.test(text);
}

const token =
  /"""((?:[^"\\]|\\"""|\\|"(?!""))*)"""|"((?:[^"\\\n\r]|\\.)*)"|(\.\.\.|[!$&()[\]{}:=@|])|([A-Za-z_]\w*)|-?\d[\w.+-]*/y;

/** Length of a path: deeper values have the name of their container. */
const namesMax = 32;

/** An open container: a selection of fields, the arguments of a field, or a value with several parts. */
interface Container {
  readonly kind: 'selection' | 'arguments' | 'object' | 'list';
  /** The most recent field, argument or key. */
  key: string;
  index: number;
}

export function visitGraphql(document: string, visit: (found: GraphqlString) => void): void {
  const open: Container[] = [{ kind: 'selection', key: '', index: 0 }];
  /** The mark before a name. */
  let sign = '';
  for (let at = skipIgnored(document, 0), count = 0; count < argumentsMax; count++) {
    token.lastIndex = at;
    const found = token.exec(document);
    if (found === null) return;
    const end = token.lastIndex;
    const [, block, string, mark, name] = found;
    const container = open.at(-1)!;
    const text = block ?? string;
    if (text !== undefined) {
      const start = at + (block === undefined ? 1 : 3);
      const value = block === undefined ? undoEscapes(text) : text.replaceAll('\\"""', '"""');
      if (value !== '') visit({ name: formatPath(open), value, start, end: start + text.length });
      endValue(container);
    } else if (name !== undefined) readName(container, `${sign}${name}`, isFollowedByColon(document, end));
    else if (mark === undefined) endValue(container);
    else readMark(open, mark);
    // `... on Person`
    if (sign !== '...' || name !== 'on') sign = mark === '$' || mark === '@' || mark === '...' ? mark : '';
    at = skipIgnored(document, end);
  }
}

/** Blanks, commas and comments. */
function skipIgnored(document: string, from: number): number {
  const ignored = /[\s,]*/y;
  for (let at = from; ;) {
    ignored.lastIndex = at;
    ignored.test(document);
    at = ignored.lastIndex;
    if (document[at] !== '#') return at;
    const end = document.indexOf('\n', at);
    if (end === -1) return document.length;
    at = end;
  }
}

function isFollowedByColon(document: string, at: number): boolean {
  return /^[\s,]*:/.test(document.slice(at, at + 20));
}

/** Fields and names of arguments; the other names are values, types, directives and fragments. */
function readName(container: Container, name: string, isArgument: boolean): void {
  if (container.kind === 'list') endValue(container);
  else if (container.kind !== 'selection') {
    if (isArgument) container.key = name;
  } else if (name.startsWith('...')) container.key = '';
  else if (!name.startsWith('@')) container.key = name;
}

function readMark(open: Container[], mark: string): void {
  const container = open.at(-1)!;
  const isInValue = container.kind !== 'selection';
  if (mark === '(') open.push({ kind: 'arguments', key: '', index: 0 });
  else if (mark === '[') open.push({ kind: 'list', key: '', index: 0 });
  else if (mark === '{') open.push({ kind: isInValue ? 'object' : 'selection', key: '', index: 0 });
  else if ((mark === ')' || mark === ']' || mark === '}') && open.length > 1) {
    open.pop();
    endValue(open.at(-1)!);
  }
}

function endValue(container: Container): void {
  if (container.kind === 'list') container.index++;
}

function formatPath(open: readonly Container[]): string {
  let path = '';
  // The first is the document: the name of an operation matters only to its client.
  for (const { kind, key, index } of open.slice(1, namesMax)) {
    if (kind === 'list') path += `[${index}]`;
    else if (key !== '') path += path === '' ? key : `.${key}`;
  }
  return path;
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function undoEscapes(written: string): string {
  if (!written.includes('\\')) return written;
  return written.replaceAll(
    /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|([^]))/gi,
    (_, unit: string | undefined, point: string | undefined, sign: string | undefined) => {
      if (sign !== undefined) return escapes[sign] ?? sign;
      const code = Number.parseInt(unit ?? point!, 16);
      return code > 0x10ffff ? '' : Buffer.from(String.fromCodePoint(code), 'utf8').toString('latin1');
    },
  );
}
