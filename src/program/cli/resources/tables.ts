/**
 * Results as text. On a terminal a table fits its width and has a header; elsewhere it is lines of tab-separated
 * fields, complete and without a header, for other programs.
 */
import { isObject } from '#base';
import { styleText } from 'node:util';
import { escapeUnprintable } from '../terminal/text.ts';

export interface Screen {
  /** Undefined if the output is not a terminal. */
  readonly columns: number | undefined;
  write(text: string): void;
  /** Applies a style if the terminal shows colours. */
  style(style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string): string;
}

/** `NO_COLOR`, `FORCE_COLOR` and the capabilities of the terminal decide about colours. */
export function openScreen(): Screen {
  const { stdout } = process;
  return {
    columns: stdout.isTTY ? Math.max(40, stdout.columns) : undefined,
    write: (text) => void stdout.write(text),
    style: (style, text) => styleText(style, text, { stream: stdout }),
  };
}

/** Wide enough for an id. */
const shrunkWidthMin = 12;
const gap = '  ';

export function printTable(screen: Screen, columns: readonly string[], items: readonly unknown[]): void {
  const rows = items.map((item) => columns.map((column) => showValue(findValue(item, column))));
  if (screen.columns === undefined) {
    for (const row of rows) screen.write(`${row.join('\t')}\n`);
    return;
  }
  const shown = columns.map((_, index) => index).filter((index) => rows.some((row) => row[index] !== ''));
  const natural = shown.map((index) =>
    Math.max(toTitle(columns[index]!).length, ...rows.map((row) => row[index]!.length)),
  );
  const widths = shrink(natural, screen.columns - gap.length * Math.max(0, shown.length - 1));
  const header = shown.map((index, at) => cut(toTitle(columns[index]!), widths[at]!)).join(gap);
  screen.write(`${screen.style('bold', header.trimEnd())}\n`);
  for (const row of rows) {
    const cells = shown.map((index, at) => {
      const cell = cut(row[index]!, widths[at]!);
      return columns[index] === 'action' ? colourAction(screen, cell) : cell;
    });
    screen.write(`${cells.join(gap).trimEnd()}\n`);
  }
}

/** A single resource, one field per line; lists with columns are tables below. */
export function printThing(
  screen: Screen,
  thing: unknown,
  tables: Readonly<Record<string, readonly string[]>> = {},
): void {
  if (!isObject(thing)) {
    screen.write(`${showValue(thing)}\n`);
    return;
  }
  const entries = flatten(thing).filter(([name]) => !isTable(name));
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  for (const [name, value] of entries)
    screen.write(`${screen.style('dim', name.padEnd(width))}${gap}${showValue(value)}\n`);
  for (const [name, columns] of Object.entries(tables)) {
    const items = thing[name];
    if (!Array.isArray(items) || items.length === 0) continue;
    screen.write(`\n${screen.style('dim', name)}\n`);
    printTable(screen, columns, items);
  }

  function isTable(name: string): boolean {
    return Object.hasOwn(tables, name) && Array.isArray(Reflect.get(thing as object, name));
  }
}

function flatten(thing: object, prefix = ''): [name: string, value: unknown][] {
  return Object.entries(thing).flatMap(([name, value]): [string, unknown][] =>
    isObject(value) && Object.keys(value).length > 0
      ? flatten(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value]],
  );
}

function findValue(item: unknown, column: string): unknown {
  let value = item;
  for (const name of column.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, name) as unknown;
  }
  return value;
}

function showValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return escapeUnprintable(value);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return escapeUnprintable(value.join(', '));
  return escapeUnprintable(JSON.stringify(value));
}

/** `clientRequestPath` and `filter.expression` as `PATH` and `EXPRESSION`: the last word is sufficient. */
function toTitle(column: string): string {
  const last = column === 'plan.legacy_id' ? 'plan' : column.split('.').at(-1)!;
  return last
    .replace(/^clientRequest(?:HTTP)?|^client(?=[A-Z])|Name$/g, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ')
    .toUpperCase();
}

/** Shrinks the widest columns first. */
function shrink(natural: readonly number[], room: number): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= shrunkWidthMin) break;
    const next = Math.max(shrunkWidthMin, ...widths.filter((width) => width < widest));
    const at = widths.indexOf(widest);
    const step = Math.min(excess, widest - Math.min(next, widest - 1));
    widths[at] = widest - step;
    excess -= step;
  }
  return widths;
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);
}

function colourAction(screen: Screen, cell: string): string {
  const action = cell.trim();
  if (action === 'block') return screen.style('red', cell);
  if (action.endsWith('challenge')) return screen.style('yellow', cell);
  return action === 'allow' || action === 'skip' ? screen.style('green', cell) : cell;
}
