/** A moment of fuzzing for each reader, and every input that was ever found (`npm run verify -- fuzz`). */
import { ifError } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fuzz, tryInput } from './fuzzer.ts';
import { readers } from './readers.ts';

const shortInputs = 500;

for (const reader of readers) {
  test(`${reader.name} keeps its promises for inputs that were found, and for some at random`, async () => {
    const folder = join(import.meta.dirname, 'cases', reader.name);
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      ifError((await tryInput(reader, readFileSync(join(folder, name)))) ?? null);
    for (const seed of reader.seeds) ifError((await tryInput(reader, Buffer.from(seed as string))) ?? null);
    const { find } = await fuzz(reader, {
      seed: 1,
      isGuided: false,
      isOver: (inputs) => inputs >= shortInputs,
    });
    ifError(find?.error ?? null);
  });
}
