/**
 * Configurations for probes: `wrangler.jsonc` with other keys. Each needs a start of both servers, so most probes use
 * only the first.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readWrangler, type Wrangler } from './wrangler.ts';

export const variants: Readonly<Record<string, Partial<Wrangler>>> = {
  '': {},
  'flag delete_all_deletes_alarm': { compatibility_flags: ['delete_all_deletes_alarm'] },
  'date 2026-02-23': { compatibility_date: '2026-02-23' },
  'date 2026-02-24': { compatibility_date: '2026-02-24' },
  'date 2026-02-24 and flag delete_all_preserves_alarm': {
    compatibility_date: '2026-02-24',
    compatibility_flags: ['delete_all_preserves_alarm'],
  },
  'date 2026-11-01': { compatibility_date: '2026-11-01' },
};

/**
 * Writes the configuration into the directory, and gives its path. It has `no_bundle`, so that both servers get the same
 * modules: a bundle writes functions in another way, and messages quote them.
 */
export function writeVariant(variant: string, wranglerPath: string, directory: string): string {
  const wrangler = readWrangler(wranglerPath);
  const main = resolve(dirname(wranglerPath), wrangler.main);
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'wrangler.json');
  writeFileSync(path, JSON.stringify({ ...wrangler, main, ...variants[variant] }));
  return path;
}
