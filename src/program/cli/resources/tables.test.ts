import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { printTable, printThing, type Screen } from './tables.ts';

class Page implements Screen {
  readonly columns: number | undefined;
  text = '';

  constructor(columns?: number) {
    this.columns = columns;
  }

  write(text: string): void {
    this.text += text;
  }

  style(style: string, text: string): string {
    return style === 'red' ? `<${text}>` : text;
  }
}

const items = [
  { id: 'a1', action: 'block', filter: { expression: 'http.host eq "a.example" and ip.src eq 192.0.2.1' } },
  { id: 'a2', action: 'log', filter: { expression: 'true' } },
];
const columns = ['id', 'action', 'filter.expression', 'description'];

test('printTable fits a terminal, cuts the widest column and leaves out empty ones', () => {
  const page = new Page(40);
  printTable(page, columns, items);
  deepEqual(page.text.split('\n'), [
    'ID  ACTION  EXPRESSION',
    'a1  <block >  http.host eq "a.example" an…',
    'a2  log     true',
    '',
  ]);
});

test('printTable writes whole fields and tabs where there is no terminal', () => {
  const page = new Page();
  printTable(page, columns, items);
  equal(page.text, `a1\tblock\t${items[0]!.filter.expression}\t\na2\tlog\ttrue\t\n`);
});

test('printThing shows inner fields by their path, lists as tables, and no control character', () => {
  const page = new Page();
  const thing = { id: 'r', plan: { id: 'pro' }, tags: ['a', 'b'], text: 'x\u001b[2J\n', rules: items };
  printThing(page, thing, { rules: ['id', 'action'] });
  deepEqual(page.text.split('\n'), [
    'id       r',
    'plan.id  pro',
    'tags     a, b',
    String.raw`text     x\x1b[2J\x0a`,
    '',
    'rules',
    'a1\tblock',
    'a2\tlog',
    '',
  ]);
});
