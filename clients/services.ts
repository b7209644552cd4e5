/**
 * A provider with fewer services, so that it builds in minutes: the file that registers them (`internal/provider.go`)
 * without the others, and a copy of its SDK whose client (`client.go`) has only the remaining services. Both files list
 * services in lines of one form; nothing else of the sources changes.
 */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuildError, go, makeWritable } from './sources.ts';

const registry = 'internal/provider.go';
export const registryLines: Lines = {
  imported: /^\t"[^"]+\/internal\/services\/(\w+)"$/,
  listed: /^\t\t(\w+)\.New\w+,(?: *\/\/.*)?$/,
};

const sdk = /"(github\.com\/cloudflare\/cloudflare-go\/v\d+)\/(\w+)"/g;
const clientLines: Lines = {
  imported: /^\t"github\.com\/cloudflare\/cloudflare-go\/v\d+\/(?!internal|option|packages|shared)(\w+)"$/,
  listed: /^\t(?:\w+ +\*(\w+)\.\w+|r\.\w+ += (\w+)\.New\w+\(opts\.\.\.\))$/,
};

/** Changes a copy of the sources. Throws a `BuildError` if a service does not exist. */
export function keepServices(sources: string, names: readonly string[]): void {
  rewrite(join(sources, registry), (text) => keepLines(text, names, registryLines));
  const used = new Map<string, Set<string>>();
  for (const file of globSync(`internal/services/{${names.join(',')}}/**/*.go`, { cwd: sources })) {
    if (file.endsWith('_test.go')) continue;
    for (const [, module, service] of readFileSync(join(sources, file), 'utf8').matchAll(sdk))
      used.set(module!, (used.get(module!) ?? new Set()).add(service!));
  }
  for (const [module, services] of used) replaceSdk(sources, module, services);
}

/** The copy stands beside the sources. */
export function replaceSdk(sources: string, module: string, services: ReadonlySet<string>): void {
  const { Dir } = JSON.parse(go(['mod', 'download', '-json', module], sources)) as { readonly Dir: string };
  const copy = `${sources}-sdk`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(Dir, copy, { recursive: true });
  makeWritable(copy);
  const kept = [...services].filter((name) => !['option', 'shared'].includes(name));
  rewrite(join(copy, 'client.go'), (text) => keepLines(text, kept, clientLines));
  go(['mod', 'edit', '-replace', `${module}=${copy}`], sources);
}

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

interface Lines {
  /** One for each service; its first group is the name. */
  readonly imported: RegExp;
  /** Those that use it; one of their groups is the name. */
  readonly listed: RegExp;
}

export function keepLines(text: string, names: readonly string[], { imported, listed }: Lines): string {
  const known = new Set<string>();
  const kept = new Set(names);
  const lines = text.split('\n').filter((line) => {
    const service = imported.exec(line)?.[1];
    if (service !== undefined) known.add(service);
    const user = listed
      .exec(line)
      ?.slice(1)
      .find((name) => name !== undefined);
    const name = service ?? user;
    // Types of other packages look alike.
    return name === undefined || !known.has(name) || kept.has(name);
  });
  const missing = names.filter((name) => !known.has(name));
  if (missing.length > 0) throw new BuildError(`the sources have no service ${missing.join(', ')}`);
  return lines.join('\n');
}
