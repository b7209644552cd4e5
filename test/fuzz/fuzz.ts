/**
 * Fuzzes the readers of hostile bytes, one after the other:
 *
 *   npm run verify -- fuzz --only json --minutes 5 --seed 7
 *   npm run verify -- fuzz --only escapes,cookies,json-text,multipart --inputs 1000000
 *
 * A failure ends the run of its reader: its input is written below `test/fuzz/cases/<reader>/`, where `npm test` tries
 * it from then on, and the command exits with 1. The same seed tries the same inputs.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { FuzzThreadData } from './fuzz-thread.ts';
import { inputBytesMax } from './mutate.ts';
import { findReader, readers } from './readers.ts';

/** A reader that takes this long for one input hangs; inputs are short. */
const hangMs = 60_000;
const lookMs = 1_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    minutes: { type: 'string' },
    inputs: { type: 'string' },
    seed: { type: 'string' },
  },
});
const inputsMax = Number(values.inputs ?? Infinity);
const minutes = Number(values.minutes ?? (values.inputs === undefined ? 2 : Infinity));
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const chosen = values.only === undefined ? readers : values.only.split(',').map(findReader);

interface ThreadResult {
  readonly inputs: number;
  readonly corpus: number;
  readonly blocks: number;
  readonly find: { readonly input: Uint8Array; readonly error: string } | undefined;
}

for (const { name } of chosen) {
  const { inputs, corpus, blocks, find } = await run(name);
  const counts = `${inputs} inputs, ${corpus} kept, ${blocks} blocks entered, seed ${seed}`;
  if (find === undefined) {
    process.stdout.write(`${name}: nothing found (${counts})\n`);
    continue;
  }
  const folder = join(import.meta.dirname, 'cases', name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, hash('sha256', find.input).slice(0, 12));
  writeFileSync(file, find.input);
  process.stdout.write(`${name}: found (${counts}), the input is in ${file}\n${find.error}\n`);
  process.exitCode = 1;
}

async function run(reader: string): Promise<ThreadResult> {
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const current = new Uint8Array(new SharedArrayBuffer(inputBytesMax));
  const data: FuzzThreadData = { reader, seed, minutes, inputsMax, progress, current };
  const thread = new Worker(new URL('./fuzz-thread.ts', import.meta.url), { workerData: data });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadResult>();
  thread.once('message', resolve);
  thread.once('error', reject);
  let seen = -1;
  let silentMs = 0;
  const timer = setInterval(() => {
    const tried = Atomics.load(progress, 0);
    // On a busy machine the thread itself may take long to start.
    silentMs = tried === seen && tried > 0 ? silentMs + lookMs : 0;
    seen = tried;
    if (silentMs < hangMs) return;
    const input = Uint8Array.from(current.subarray(0, progress[1]));
    resolve({
      inputs: tried,
      corpus: 0,
      blocks: 0,
      find: { input, error: `it has not ended after ${hangMs} ms` },
    });
  }, lookMs);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    await thread.terminate();
  }
}
