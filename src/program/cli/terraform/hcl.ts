/**
 * Terraform's configuration language, as `terraform fmt` writes it: equals signs of adjacent lines are aligned, and
 * each level is indented by two spaces.
 *
 * ```ts
 * writeBlock({ kind: 'block', type: 'resource', labels: ['cloudflare_filter', 'login'], body: [
 *   { kind: 'attribute', name: 'expression', value: 'http.request.uri.path eq "/login"' },
 * ] });
 * ```
 */

/** The value after an equals sign. A reference is written without quotes. */
export type HclValue =
  | string
  | number
  | boolean
  | HclReference
  | readonly HclValue[]
  | { readonly [name: string]: HclValue };

export type HclFields = Readonly<Record<string, HclValue>>;

export class HclReference {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface HclBlock {
  readonly kind: 'block';
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: HclBody;
}

export type HclBody = readonly (
  | { readonly kind: 'attribute'; readonly name: string; readonly value: HclValue }
  | HclBlock
)[];

export function writeBlock({ type, labels, body }: HclBlock): string {
  const head = [type, ...labels.map((label) => writeString(label))].join(' ');
  return body.length === 0 ? `${head} {\n}\n` : `${head} {\n${indent(writeBody(body))}}\n`;
}

function writeBody(body: HclBody): string {
  const isAttribute = (item: HclBody[number] | undefined): boolean => item?.kind === 'attribute';
  const items = body.map((item) =>
    item.kind === 'block'
      ? { text: writeBlock(item) }
      : { name: item.name, text: `${writeValue(item.value)}\n` },
  );
  return alignNames(items)
    .map((text, index) => {
      // A blank line precedes a block.
      const isApart = index > 0 && !(isAttribute(body[index]) && isAttribute(body[index - 1]));
      return isApart ? `\n${text}` : text;
    })
    .join('');
}

interface Item {
  readonly name?: string;
  readonly text: string;
}

/** Names are padded to the widest of a group of lines. A multi-line value ends a group, and is not part of it. */
function alignNames(items: readonly Item[]): string[] {
  const isLine = ({ name, text }: Item): boolean =>
    name !== undefined && text.indexOf('\n') === text.length - 1;
  const lines: string[] = [];
  for (let at = 0; at < items.length;) {
    let end = at;
    while (end < items.length && isLine(items[end]!)) end++;
    const width = Math.max(0, ...items.slice(at, end).map(({ name }) => name!.length));
    for (const { name, text } of items.slice(at, end)) lines.push(`${name!.padEnd(width)} = ${text}`);
    const other = items[end];
    if (other !== undefined)
      lines.push(other.name === undefined ? other.text : `${other.name} = ${other.text}`);
    at = end + 1;
  }
  return lines;
}

function writeValue(value: HclValue): string {
  if (value instanceof HclReference) return value.text;
  if (typeof value === 'string') return writeString(value);
  if (typeof value !== 'object') return String(value);
  if (isList(value)) {
    if (value.every((each) => typeof each !== 'object')) return `[${value.map(writeValue).join(', ')}]`;
    return `[\n${value.map((each) => indent(`${writeValue(each)},\n`)).join('')}]`;
  }
  const items = Object.entries(value).map(([name, each]) => ({
    name: /^[a-z_][a-z0-9_]*$/i.test(name) ? name : writeString(name),
    text: `${writeValue(each)}\n`,
  }));
  return items.length === 0 ? '{}' : `{\n${indent(alignNames(items).join(''))}}`;
}

/** `Array.isArray` does not narrow read-only lists. */
function isList(value: HclValue): value is readonly HclValue[] {
  return Array.isArray(value);
}

/** JSON's escapes are HCL's; `${` and `%{` would start a template. */
function writeString(text: string): string {
  return JSON.stringify(text)
    .replaceAll(
      /[\u007f-\u009f\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .replaceAll(/\\([bf])/g, (_, letter: string) => (letter === 'b' ? '\\u0008' : '\\u000c'))
    .replaceAll(/([$%])\{/g, '$1$1{');
}

/** Strings contain no line breaks, so every line can be indented. */
function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
