/** The payloads and the harmless texts that were written before the detectors were changed for them. */
import { readFileSync } from 'node:fs';
import { readControls } from '../grammar.ts';

export interface Line {
  readonly kind: string;
  readonly value: string;
}

/** Each line is a kind, a tab and a text. */
function readLines(name: string): readonly Line[] {
  return readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      return { kind: line.slice(0, tab), value: readControls(line.slice(tab + 1)) };
    });
}

/** Sixty attacks, as an attacker types them. */
export const payloads = readLines('payloads');

/** Harmless texts of people and programs that contain the words of an attack. */
export const lookalikes = readLines('lookalikes');
