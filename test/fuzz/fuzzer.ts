/**
 * Feeds a reader with inputs that grow out of each other: an input that enters blocks of the program which none before it
 * entered, by V8's own counters, joins the corpus that the next ones are made from. The same seed gives the same inputs.
 */
import { Session } from 'node:inspector';
import { Random } from '../faults/random.ts';
import { mutate } from './mutate.ts';
import type { FuzzedReader } from './reader.ts';

/** Reading the counters takes milliseconds, so it is done once for a number of inputs. */
const batchInputs = 64;
const corpusMax = 2_000;

interface Find {
  readonly reader: string;
  readonly input: Buffer;
  readonly error: unknown;
}

export interface FuzzResult {
  readonly inputs: number;
  readonly corpus: number;
  readonly blocks: number;
  readonly find: Find | undefined;
}

export interface FuzzOptions {
  readonly seed: number;
  readonly isOver: (inputs: number) => boolean;
  /** Whether inputs that enter new blocks are kept. */
  readonly isGuided: boolean;
  readonly onInput?: (input: Buffer) => void;
}

export async function fuzz(
  reader: FuzzedReader,
  { seed, isOver, isGuided, onInput }: FuzzOptions,
): Promise<FuzzResult> {
  const random = new Random(seed);
  const corpus = reader.seeds.map((each): Buffer => Buffer.from(each as string));
  const words = reader.words.map((word) => Buffer.from(word, 'latin1'));
  using blocks = isGuided ? new EnteredBlocks() : undefined;
  let inputs = 0;
  while (!isOver(inputs)) {
    const batch = Array.from({ length: batchInputs }, () =>
      mutate(random.pick(corpus), { random, corpus, words }),
    );
    for (const input of batch) {
      onInput?.(input);
      inputs++;
      const error = await tryInput(reader, input);
      if (error !== undefined)
        return {
          inputs,
          corpus: corpus.length,
          blocks: blocks?.count ?? 0,
          find: { reader: reader.name, input: await shrink(reader, input), error },
        };
    }
    if (blocks?.hasNew() !== true) continue;
    // A second run finds out which of them it was.
    for (const input of batch) {
      await tryInput(reader, input);
      if (blocks.hasNewOf(input) && corpus.length < corpusMax) corpus.push(input);
    }
    blocks.accept();
  }
  return { inputs, corpus: corpus.length, blocks: blocks?.count ?? 0, find: undefined };
}

export async function tryInput(reader: FuzzedReader, input: Buffer): Promise<unknown> {
  try {
    await reader.check(input);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Removes parts while the reader still fails. */
async function shrink(reader: FuzzedReader, input: Buffer): Promise<Buffer> {
  let small = input;
  for (let size = Math.ceil(small.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < small.length;) {
      const shorter = Buffer.concat([small.subarray(0, at), small.subarray(at + size)]);
      if ((await tryInput(reader, shorter)) === undefined) at += size;
      else small = shorter;
    }
  }
  return small;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly {
        readonly startOffset: number;
        readonly endOffset: number;
        readonly count: number;
      }[];
    }[];
  }[];
}

/** The blocks of the program's own files that were entered. */
class EnteredBlocks implements Disposable {
  readonly #session = new Session();
  readonly #known = new Set<string>();
  #fresh = new Set<string>();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
    this.hasNew();
    this.accept();
  }

  get count(): number {
    return this.#known.size;
  }

  hasNew(): boolean {
    this.#fresh = new Set(this.#take().filter((block) => !this.#known.has(block)));
    return this.#fresh.size > 0;
  }

  /** Whether the input read since the last check entered one of the new blocks, which is then removed from them. */
  hasNewOf(_input: Buffer): boolean {
    const found = this.#take().filter((block) => this.#fresh.delete(block));
    for (const block of found) this.#known.add(block);
    return found.length > 0;
  }

  accept(): void {
    for (const block of this.#fresh) this.#known.add(block);
    this.#fresh.clear();
  }

  #take(): string[] {
    const blocks: string[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (_error, coverage) => {
      for (const { url, functions } of (coverage as unknown as Coverage).result) {
        if (!url.includes('/src/')) continue;
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges)
            if (count > 0) blocks.push(`${url} ${startOffset} ${endOffset}`);
      }
    });
    return blocks;
  }

  [Symbol.dispose](): void {
    this.#session.disconnect();
  }
}
