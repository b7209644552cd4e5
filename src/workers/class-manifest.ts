/**
 * Which classes live in a directory, for tools that open it without the code: `classes.json`, written whenever a Worker
 * starts there or its code changes. It says nothing that the Worker's configuration does not say.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config/config-error.ts';
import type { DeclaredClass } from './config/migrations.ts';

export type ClassManifest = Readonly<Record<string, DeclaredClass>>;

function fileIn(directory: string): string {
  return join(directory, 'classes.json');
}

export function writeClassManifest(directory: string, classes: ClassManifest): void {
  const entries = Object.entries(classes).map(([name, { storage, uniqueKey }]) => [
    name,
    { storage, uniqueKey },
  ]);
  const file = fileIn(directory);
  writeFileSync(`${file}.tmp`, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`);
  renameSync(`${file}.tmp`, file);
}

export function readClassManifest(directory: string): ClassManifest {
  const file = fileIn(directory);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ClassManifest;
  } catch (error) {
    const problem = error instanceof SyntaxError ? `it is damaged (${error.message})` : 'there is none';
    throw new ConfigError(
      `cannot read ${file}: ${problem}; gatehouse dev and gatehouse serve write it when they start`,
      {
        cause: error,
      },
    );
  }
}
