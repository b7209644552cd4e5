import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

export function readVersion(): string {
  const file = findPackageJSON('.', import.meta.url)!;
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
