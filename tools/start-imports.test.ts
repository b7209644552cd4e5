/** What a start loads: most of the time of a start is loading code, so processes do without what they do not need. */
import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../', import.meta.url);
const { imports: doors } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly imports: Readonly<Record<string, string>>;
};

/** Imports and exports that load something: those of types are erased, those inside functions come later. */
const statement = /^(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s)?'([^']+)'/gm;

/** All that is loaded with a file: paths of our own files, and names of packages. */
function listLoaded(entry: string): Set<string> {
  const loaded = new Set<string>();
  const visit = (url: URL): void => {
    const path = url.href.slice(root.href.length);
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const [, name] of readFileSync(url, 'utf8').matchAll(statement)) {
      if (name!.startsWith('.')) visit(new URL(name!, url));
      else if (name!.startsWith('#')) visit(new URL(doors[name!]!, root));
      else if (!name!.startsWith('node:')) loaded.add(name!);
    }
  };
  visit(new URL(entry, root));
  return loaded;
}

const starts: readonly { entry: string; needs: RegExp; without: RegExp }[] = [
  {
    entry: 'src/cli/run.ts',
    needs: /^src\/cli\/command-table\.ts$/,
    // Commands are loaded when they are called.
    without: /^src\/(?!base|cli)|^src\/cli\/commands\//,
  },
  {
    entry: 'src/cli/watched/start-watched.ts',
    needs: /^src\/server\/config\/read-config\.ts$/,
    without: /^(?:graphql|maxmind|pg|src\/(?:cluster|control|edge|objects|workers)\/.*)$/,
  },
  {
    entry: 'src/server/workers/run-program.ts',
    needs: /^src\/deployments\/deployed-worker\.ts$/,
    without: /^(?:graphql|maxmind|pg|src\/(?:bindings|cluster|control|edge|managed|seclang|workers)\/.*)$/,
  },
  {
    entry: 'src/deployments/worker-process.ts',
    needs: /^src\/workers\/worker\.ts$/,
    // Operators ask seldom, and what answers them is loaded for the first.
    without: /^(?:graphql|maxmind|pg|src\/(?:cluster|contract|control|edge|firewall|operator)\/.*)$/,
  },
  {
    entry: 'src/server/program.ts',
    needs: /^src\/control\/control\.ts$/,
    // The edge is loaded by its workers, or when there are none; GraphQL with its first query; the database of a cluster
    // by those who join one.
    without: /^(?:graphql|maxmind|pg|src\/(?:cluster|edge|workers)\/.*)$/,
  },
  {
    entry: 'src/server/edge/processes/edge-process.ts',
    needs: /^src\/edge\/edge\.ts$/,
    without: /^(?:graphql|maxmind|smol-toml|src\/(?:control|objects|journal|tables|sqlite)\/.*)$/,
  },
  {
    entry: 'src/cli/watched/supervise-program.ts',
    needs: /^src\/processes\/supervised-process\.ts$/,
    without: /^src\/(?!base|processes|cli)/,
  },
];

for (const { entry, needs, without } of starts) {
  test(`start-imports: ${entry} loads what it needs and no more`, () => {
    const loaded = [...listLoaded(entry)];
    ok(loaded.some((each) => needs.test(each)));
    deepEqual(
      loaded.filter((each) => without.test(each)),
      [],
    );
  });
}
