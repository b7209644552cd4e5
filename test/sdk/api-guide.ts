/**
 * Writes the generated tables of docs/reference/api.md: the effect of each permission group, and the methods of the SDK
 * that are not served. `api-guide.test.ts` checks that they are up to date.
 *
 *     node test/sdk/api-guide.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { operations, type Permission, permissionGroups } from '#contract';
import { unserved } from './unserved.ts';

export const apiGuide = new URL('../../docs/reference/api.md', import.meta.url);

/** The page with regenerated tables. */
export function withTables(page: string): string {
  const tables = { permissions: permissionTable(), unserved: unservedTable() };
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [start, end] = [`<!-- table: ${name} -->`, `<!-- end of table: ${name} -->`];
    const [before, rest] = splitOnce(text, start);
    const [, after] = splitOnce(rest, end);
    return `${before}${start}\n${table}\n${end}${after}`;
  }, page);
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`docs/reference/api.md has no ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function permissionTable(): string {
  const rows = Object.entries(permissionGroups).map(
    ([permission, { id, name, scope }]) =>
      `| ${name} | ${scope} | ${operationsFor(permission as Permission)} | \`${id}\` |`,
  );
  return ['| group | on | gives | id |', '|---|---|---|---|', ...rows].join('\n');
}

/** By family: `filters`: list, get. */
function operationsFor(permission: Permission): string {
  const families = new Map<string, string[]>();
  for (const [id, { permissions }] of Object.entries(operations)) {
    if (!permissions.includes(permission)) continue;
    const [family, verb] = id.split('.') as [string, string];
    families.set(family, [...(families.get(family) ?? []), verb]);
  }
  const texts = [...families].map(([family, verbs]) => `\`${family}\`: ${verbs.join(', ')}`);
  return texts.length === 0 ? 'nothing here' : texts.join('; ');
}

function unservedTable(): string {
  const rows = Object.entries(unserved).map(([name, reason]) => `| \`${name}\` | ${reason} |`);
  return ['| of the SDK | why not |', '|---|---|', ...rows].join('\n');
}

if (import.meta.main) writeFileSync(apiGuide, withTables(readFileSync(apiGuide, 'utf8')));
