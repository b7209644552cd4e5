/** The container file's description of its image, and the existing settings. */
import { ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingFlags } from '#server';
import { listOf, parseContainerfile } from './containerfile.ts';
import { root } from './packed-project.ts';

export const stages = parseContainerfile(readFileSync(join(root, 'Containerfile'), 'utf8'));
export const image = stages.at(-1)!;

export function readEnvironment(): Record<string, string> {
  return Object.fromEntries(listOf(image, 'ENV').map(({ text }) => text.split(/=(.*)/s).slice(0, 2)));
}

/** Each `GATEHOUSE_` variable is a setting, and so has a flag. */
export function checkSettings(names: readonly string[]): void {
  const known = new Set(
    Object.keys(settingFlags).map((flag) => `GATEHOUSE_${flag.toUpperCase().replaceAll('-', '_')}`),
  );
  for (const name of names) ok(!name.startsWith('GATEHOUSE_') || known.has(name), name);
}

export function listCommand(instruction: string): string[] {
  return JSON.parse(listOf(image, instruction)[0]!.text.replace(/^CMD /, '')) as string[];
}
