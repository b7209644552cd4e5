import { deepEqual, equal } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parts, pathOf, rooms } from './rooms.ts';

const root = new URL('..', import.meta.url);
const importPattern = /^(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/gm;

/** Measuring tools for tests in all rooms. */
const measuringTools = new Set(
  ['count-work', 'collect-garbage'].map((name) => new URL(`tools/${name}.ts`, root).pathname),
);

/** Whether a file contains the test helpers of one of these rooms. */
function isHelper(path: string, uses: readonly string[]): boolean {
  return uses.some((room) => path === new URL(`${pathOf(room)}/testing.ts`, root).pathname);
}

function sourcesOf(room: string): string[] {
  const inside = readdirSync(new URL(`${pathOf(room)}/`, root), { recursive: true, encoding: 'utf8' });
  return [
    `${pathOf(room)}.ts`,
    ...inside.filter((name) => /\.tsx?$/.test(name)).map((name) => `${pathOf(room)}/${name}`),
  ];
}

function importsOf(file: string): string[] {
  return [...readFileSync(new URL(file, root), 'utf8').matchAll(importPattern)].map(
    (match) => match[1] ?? match[2]!,
  );
}

const listFolders = (path: string): string[] =>
  readdirSync(new URL(path, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

test('parts are exactly the folders of src, and hold exactly the rooms in them', () => {
  deepEqual(listFolders('src/').toSorted(), Object.keys(parts).toSorted());
  for (const [part, { rooms: held }] of Object.entries(parts))
    deepEqual(listFolders(`src/${part}/`).toSorted(), Object.keys(held).toSorted());
});

test('rooms may be imported only through their doors, and only by those above them', () => {
  const wrong: string[] = [];
  for (const [room, { uses }] of Object.entries(rooms)) {
    for (const file of sourcesOf(room)) {
      const folder = new URL('.', new URL(file, root)).pathname;
      // A test may import the door of its own room.
      const mayUse = (other: string): boolean =>
        uses.includes(other) || (other === room && file.endsWith('.test.ts'));
      const own = [new URL(`${pathOf(room)}/`, root).pathname, new URL(`${pathOf(room)}.ts`, root).pathname];
      for (const specifier of importsOf(file)) {
        if (specifier.startsWith('.')) {
          const path = new URL(specifier, `file://${folder}`).pathname;
          if (file.endsWith('.test.ts') && (measuringTools.has(path) || isHelper(path, uses))) continue;
          if (!own.some((prefix) => path.startsWith(prefix)))
            wrong.push(`${file} imports ${specifier} past a door`);
        } else if (specifier.startsWith('#') && !mayUse(specifier.slice(1))) {
          wrong.push(`${file} imports ${specifier}, which tools/rooms.ts does not allow ${room}`);
        }
      }
    }
  }
  deepEqual(wrong, []);
});

test('rooms use only rooms above them in the list, so parts import in one direction', () => {
  const names = Object.keys(rooms);
  for (const [index, name] of names.entries()) {
    for (const used of rooms[name]!.uses)
      equal(names.indexOf(used) < index, true, `${name} stands above ${used}, which it uses`);
  }
});

test('rooms use every room that they list', () => {
  for (const [room, { uses }] of Object.entries(rooms)) {
    const imported = new Set(sourcesOf(room).flatMap(importsOf));
    deepEqual(
      uses.filter((used) => !imported.has(`#${used}`)),
      [],
      `tools/rooms.ts lists rooms that ${room} does not import`,
    );
  }
});

test('rooms are the doors of package.json', () => {
  const { imports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { imports: object };
  deepEqual(
    imports,
    Object.fromEntries(
      Object.keys(rooms)
        .toSorted()
        .map((room) => [`#${room}`, `./${pathOf(room)}.ts`]),
    ),
  );
});

test('parts and rooms are shown as they are in docs/ARCHITECTURE.md', () => {
  const page = readFileSync(new URL('docs/ARCHITECTURE.md', root), 'utf8');
  const rows = Object.entries(parts).flatMap(([part, { sentence, rooms: held }]) => [
    `| **${part}** | **${sentence}** | |`,
    ...Object.entries(held).map(
      ([room, { sentence: of, uses }]) => `| \`${room}\` | ${of} | ${uses.join(', ') || '–'} |`,
    ),
  ]);
  equal(page.includes(rows.join('\n')), true, `docs/ARCHITECTURE.md lacks the table:\n${rows.join('\n')}`);
});
