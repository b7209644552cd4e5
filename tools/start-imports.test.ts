/**
 * The modules that a start loads: most of the start time is loading code, so processes must not load what they do not
 * need.
 */
import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../', import.meta.url);
const { imports: doors } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly imports: Readonly<Record<string, string>>;
};

/** Imports and exports that load something: those of types are erased, those inside functions run later. */
const statement = /^(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s)?'([^']+)'/gm;

/** Everything that is loaded with a file: paths of our own files, and names of packages. */
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
    entry: 'src/program/cli/run.ts',
    needs: /^src\/program\/cli\/command-table\.ts$/,
    // Commands are loaded when they are called.
    without: /^src\/(?!foundation\/(?:base|text)|program\/cli)|^src\/program\/cli\/commands\//,
  },
  {
    entry: 'src/program/cli/watched/start-watched.ts',
    needs: /^src\/program\/server\/config\/read-config\.ts$/,
    without:
      /^(?:graphql|maxmind|pg|src\/(?:runtime\/cluster|api\/control|traffic\/edge|runtime\/objects|platform\/workers)\/.*)$/,
  },
  {
    entry: 'src/program/server/workers/run-program.ts',
    needs: /^src\/platform\/deployments\/deployed-worker\.ts$/,
    without:
      /^(?:graphql|maxmind|pg|src\/(?:runtime\/bindings|runtime\/cluster|api\/control|traffic\/edge|rules\/managed|rules\/seclang|platform\/workers)\/.*)$/,
  },
  {
    entry: 'src/platform/deployments/worker-process.ts',
    needs: /^src\/platform\/workers\/worker\.ts$/,
    // Operators call rarely, and the handlers are loaded for the first call.
    without:
      /^(?:graphql|maxmind|pg|src\/(?:runtime\/cluster|api\/contract|api\/control|traffic\/edge|rules\/firewall|rules\/rulesets|api\/operator)\/.*)$/,
  },
  {
    entry: 'src/program/server/program.ts',
    needs: /^src\/api\/control\/control\.ts$/,
    // The edge is loaded by its workers, or if there are none; GraphQL with its first query; the client of a cluster's
    // database only by programs that join one.
    without: /^(?:graphql|maxmind|pg|src\/(?:runtime\/cluster|traffic\/edge|platform\/workers)\/.*)$/,
  },
  {
    entry: 'src/program/server/edge/processes/edge-process.ts',
    needs: /^src\/traffic\/edge\/edge\.ts$/,
    without:
      /^(?:graphql|maxmind|smol-toml|src\/(?:api\/control|runtime\/objects|runtime\/journal|runtime\/tables|runtime\/sqlite)\/.*)$/,
  },
  {
    entry: 'src/program/cli/watched/supervise-program.ts',
    needs: /^src\/foundation\/processes\/supervised-process\.ts$/,
    without: /^src\/(?!foundation\/(?:base|text|work|listeners|processes|streams)|program\/cli)/,
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
