import { deepEqual } from 'node:assert/strict';
import { globSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { floors, resources } from './resources.ts';

const root = new URL('..', import.meta.url);
const names = Object.keys(resources);

function listEntries(floor: string): string[] {
  const entries = readdirSync(new URL(floor, root)).map((name) => name.replace(/(?:\.test)?\.tsx?$/, ''));
  return [...new Set(entries)];
}

test('resources: each floor has their names and no others', () => {
  for (const [floor, others] of Object.entries(floors)) {
    const unnamed = listEntries(floor).filter((entry) => !names.includes(entry));
    deepEqual(unnamed.toSorted(), others, floor);
  }
});

test('resources: each has its operations, in the file or folder with its name', async () => {
  const floor = 'src/api/contract/operations';
  const found = new Map<string, Set<string>>();
  for (const file of globSync(`${floor}/**/*.ts`, { cwd: root })) {
    const resource = file.slice(floor.length + 1).replace(/\/.*|\.ts$/g, '');
    const prefixes = found.get(resource) ?? new Set();
    for (const table of Object.values((await import(new URL(file, root).href)) as object) as unknown[])
      for (const [id, row] of typeof table === 'object' && table !== null ? Object.entries(table) : [])
        if (isOperation(row)) prefixes.add(id.replace(/\..*/, ''));
    found.set(resource, prefixes);
  }
  deepEqual(
    Object.fromEntries([...found].map(([name, prefixes]) => [name, [...prefixes].toSorted()])),
    Object.fromEntries(
      Object.entries(resources).map(([name, { operations }]) => [name, operations.toSorted()]),
    ),
  );
});

function isOperation(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'method' in row && 'path' in row && 'permissions' in row;
}

test('resources: each command begins with the word of its resource', async () => {
  const floor = 'src/program/cli/resources/rows';
  for (const file of globSync(`${floor}/*.ts`, { cwd: root })) {
    const name = basename(file, '.ts');
    const families = Object.values((await import(new URL(file, root).href)) as object) as {
      readonly rows: readonly { readonly name: string }[];
    }[];
    const words = families.flatMap(({ rows }) => rows.map((row) => row.name.split(' ')[0]!));
    deepEqual([...new Set(words)], [resources[name]!.command ?? name]);
  }
});
