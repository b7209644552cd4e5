/**
 * docs/rules/rules-language.md lists every function and every field. After a change,
 *
 *     UPDATE_DOCS=1 node --test src/rules/expressions/reference.test.ts
 *
 * rewrites the tables.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { quantifiers, formatSignature } from './assist/describe.ts';
import type { Field } from './field.ts';
import { scheme } from './full-scheme.ts';
import { expressionCharactersMax, nestingDepthMax, regexesMax, splitItemsMax } from './limits.ts';
import { formatType } from './types.ts';
import { formatIp, Ip } from '#addresses';
import type { Value } from './values.ts';

const page = new URL('../../../docs/rules/rules-language.md', import.meta.url);

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function functionTable(): string {
  const rows = Array.from(scheme.functions.values(), (definition) => {
    const where = definition.uses.map((use) => (use === 'filter' ? 'match' : use)).join(', ');
    return `| \`${formatSignature(definition)}\` | ${where} | ${cell(definition.summary)} |`;
  });
  const quantified = quantifiers.map(
    ({ name, summary }) => `| \`${name}(condition: Array<Bool>)\` | match | ${cell(summary)} |`,
  );
  return ['| function | where | |', '|---|---|---|', ...quantified, ...rows].join('\n');
}

function defaultText(value: Value): string {
  if (value instanceof Ip) return formatIp(value);
  if (value instanceof Map) return '{}';
  return JSON.stringify(value);
}

function fieldRow(field: Field): string {
  const filledBy = field.stage === 'request' ? field.filledBy : `${field.filledBy}, ${field.stage}`;
  const summary = field.replacedBy === undefined ? field.summary : `Deprecated: \`${field.replacedBy}\`.`;
  return `| \`${field.name}\` | \`${formatType(field.type)}\` | ${filledBy} | \`${defaultText(field.default)}\` | ${cell(summary)} |`;
}

function fieldTable(): string {
  const shown = [...scheme.fields.values()].filter((field) => field.isHidden !== true);
  return ['| field | type | filled by | default | |', '|---|---|---|---|---|', ...shown.map(fieldRow)].join(
    '\n',
  );
}

for (const [name, table] of [
  ['functions', functionTable()],
  ['fields', fieldTable()],
] as const) {
  test(`docs/rules/rules-language.md lists the ${name} as in the code`, () => {
    const pattern = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
    const text = readFileSync(page, 'utf8');
    const current = text.replace(pattern, (_, open: string, close: string) => `${open}${table}\n${close}`);
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, current);
    assert.equal(readFileSync(page, 'utf8'), current);
  });
}

test('docs/rules/rules-language.md lists the limits as in the code', () => {
  const text = readFileSync(page, 'utf8');
  for (const row of [
    `| length of an expression | ${expressionCharactersMax.toLocaleString('en')} characters |`,
    `| nesting of parentheses, \`not\`, \`any\`, \`all\` and calls | ${nestingDepthMax} |`,
    `| regular expressions in one expression | ${regexesMax} |`,
    `| items of \`split\` | ${splitItemsMax} |`,
  ]) {
    assert.ok(text.includes(row), row);
  }
});
