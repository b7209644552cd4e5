/** The fingerprints of the accepted pictures, a line for each. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Seen, findDescription } from './walker.ts';

const file = join(import.meta.dirname, 'accepted-pictures.txt');

function readAccepted(): ReadonlyMap<string, string> {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}

/** Those of other stops stay as they are. */
export function writeAccepted(seen: readonly Seen[], isWhole: boolean): void {
  const before = isWhole ? [] : readAccepted();
  const all = new Map([...before, ...seen.map(({ name, fingerprint }) => [name, fingerprint] as const)]);
  const lines = [...all].map(([name, fingerprint]) => `${name} ${fingerprint}\n`);
  writeFileSync(file, lines.toSorted().join(''));
}

/** The differences from the accepted pictures, in words. */
export function compareWithAccepted(seen: readonly Seen[]): readonly string[] {
  const accepted = readAccepted();
  return seen
    .filter(({ name, fingerprint }) => accepted.get(name) !== fingerprint)
    .map(({ name, description }) => {
      const known = accepted.get(name);
      const kept = known === undefined ? undefined : findDescription(name, known);
      if (known === undefined) return `${name} is new`;
      return kept === undefined
        ? `${name} has changed`
        : `${name} has changed:\n${compare(kept, description)}`;
    });
}

const linesShown = 6;

function compare(kept: string, now: string): string {
  const [before, after] = [readFileSync(kept, 'utf8'), now].map((text) => text.split('\n'));
  const gone = before!.filter((line) => !after!.includes(line)).slice(0, linesShown);
  const come = after!.filter((line) => !before!.includes(line)).slice(0, linesShown);
  return [...gone.map((line) => `  - ${line}`), ...come.map((line) => `  + ${line}`)].join('\n');
}
