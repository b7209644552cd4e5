/**
 * A provider with fewer services: the file that registers them (`internal/provider.go`, one import and some lines of a list
 * for each service) without the others. Nothing else of the sources changes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuildError } from './sources.ts';

const registry = 'internal/provider.go';
const importLine = /^\t"[^"]+\/internal\/services\/(\w+)"$/;
const listLine = /^\t\t(\w+)\.New\w+,$/;

/** Changes a copy of the sources. Throws a `BuildError` if a service is not there. */
export function keepServices(sources: string, names: readonly string[]): void {
  const path = join(sources, registry);
  writeFileSync(path, withoutOtherServices(readFileSync(path, 'utf8'), names));
}

export function withoutOtherServices(text: string, names: readonly string[]): string {
  const kept = new Set(names);
  const found = new Set<string>();
  const lines = text.split('\n').filter((line) => {
    const service = importLine.exec(line)?.[1];
    if (service !== undefined) {
      found.add(service);
      return kept.has(service);
    }
    const listed = listLine.exec(line)?.[1];
    return listed === undefined || kept.has(listed);
  });
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw new BuildError(`${registry} has no service ${missing.join(', ')}`);
  return lines.join('\n');
}
