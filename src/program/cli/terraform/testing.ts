/** For tests: parses Terraform's configuration language, as far as the commands write it. */
import { ok } from 'node:assert/strict';

export interface ParsedBlock {
  readonly type: string;
  readonly labels: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly blocks: readonly ParsedBlock[];
}

const token = /[ \t]*(?:(\n)|([a-z_][\w.]*)|("(?:[^"\\\n]|\\.)*")|(-?\d+(?:\.\d+)?)|([{}[\]=,]))/giy;

export function parseHcl(text: string): readonly ParsedBlock[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    ok(match !== null, `no token at ${JSON.stringify(text.slice(at, at + 40))}`);
    tokens.push(match[0].trim() === '' ? '\n' : match[0].trim());
  }
  const reader = new TokenReader(tokens);
  const { attributes, blocks } = readBody(reader, undefined);
  ok(Object.keys(attributes).length === 0, 'attributes stand in blocks');
  return blocks;
}

class TokenReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  next(expected?: string): string {
    const found = this.#tokens[this.#at++];
    ok(found !== undefined && (expected === undefined || found === expected), `${found} is no ${expected}`);
    return found;
  }

  skipLines(): void {
    while (this.peek() === '\n') this.#at++;
  }
}

type Body = Pick<ParsedBlock, 'attributes' | 'blocks'>;

function readBody(reader: TokenReader, end: string | undefined): Body {
  const attributes: Record<string, unknown> = {};
  const blocks: ParsedBlock[] = [];
  for (;;) {
    reader.skipLines();
    if (reader.peek() === end) return { attributes, blocks };
    const name = reader.next();
    if (reader.peek() === '=') {
      reader.next();
      ok(!Object.hasOwn(attributes, name), `${name} stands there twice`);
      attributes[name] = readValue(reader);
    } else {
      const labels: string[] = [];
      while (reader.peek() !== '{') labels.push(readString(reader.next()));
      reader.next('{');
      blocks.push({ type: name, labels, ...readBody(reader, '}') });
      reader.next('}');
    }
    // The next part is on a separate line.
    if (reader.peek() !== undefined) reader.next('\n');
  }
}

function readValue(reader: TokenReader): unknown {
  const first = reader.next();
  if (first === '[') return readList(reader);
  if (first === '{') return readObject(reader);
  if (first.startsWith('"')) return readString(first);
  if (first === 'true' || first === 'false') return first === 'true';
  return /^-?\d/.test(first) ? Number(first) : { reference: first };
}

function readList(reader: TokenReader): unknown[] {
  const items: unknown[] = [];
  for (;;) {
    reader.skipLines();
    if (reader.peek() === ']') break;
    items.push(readValue(reader));
    reader.skipLines();
    if (reader.peek() === ',') reader.next();
  }
  reader.next(']');
  return items;
}

function readObject(reader: TokenReader): unknown {
  const fields: Record<string, unknown> = {};
  for (;;) {
    reader.skipLines();
    if (reader.peek() === '}') break;
    const name = reader.next();
    reader.next('=');
    fields[name.startsWith('"') ? readString(name) : name] = readValue(reader);
  }
  reader.next('}');
  return fields;
}

/** Terraform would evaluate a template, so a text must not contain one. */
function readString(written: string): string {
  ok(!/(?<!\$)\$\{|(?<!%)%\{/.test(written), `${written} has a template`);
  const text = JSON.parse(written) as string;
  return text.replaceAll(/([$%])\1\{/g, '$1{');
}
