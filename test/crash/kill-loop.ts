/**
 * Kills a working process again and again, with nothing to warn it, and holds what the next one finds in the same
 * directory against what the ones before were told. Most kills hit edits in progress, some hit the opening of a
 * directory that another kill left.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../faults/random.ts';
import { BookOracle } from './book-oracle.ts';
import type { Message } from './kill-child.ts';
import { bookNames } from './library.ts';

const childPath = join(import.meta.dirname, 'kill-child.ts');

export interface KillLoopResult {
  readonly acknowledged: number;
  /** How often books were found and held against the oracle. */
  readonly checked: number;
}

export async function killLoop({ seed, rounds }: { seed: number; rounds: number }): Promise<KillLoopResult> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-kill-'));
  const random = new Random(seed);
  const witness = new Witness();
  try {
    for (let round = 0; round < rounds; round++) {
      // The first line is said before the directory is opened; the last round sees all books for sure.
      const last = round === rounds - 1;
      const lines = !last && random.chance(0.15) ? 1 : bookNames.length + 1 + random.below(600);
      try {
        await liveAndDie({ directory, seed: random.below(2 ** 31), lines, witness });
      } catch (error) {
        throw new Error(`seed ${seed}, round ${round}: ${(error as Error).message}`, { cause: error });
      }
    }
    return { acknowledged: witness.acknowledged, checked: witness.checked };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** One child, killed when it has said so many lines; what it says until it is dead is heard. */
async function liveAndDie(life: {
  directory: string;
  seed: number;
  lines: number;
  witness: Witness;
}): Promise<void> {
  const { directory, seed, witness } = life;
  witness.nextLife();
  const versions = JSON.stringify(witness.nextVersions());
  const child = spawn(process.execPath, [childPath, directory, String(seed), versions], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let heard = 0;
  let rest = '';
  for await (const chunk of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    // A line that the kill cut off has not been said.
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) witness.hear(JSON.parse(line) as Message);
    heard += lines.length;
    if (heard >= life.lines) child.kill('SIGKILL');
  }
  const [code, signal] = (await exited) as [number | null, string | null];
  if (signal !== 'SIGKILL') throw new Error(`the child ended by itself, with code ${code}`);
}

/** Remembers what the children said. Moments are messages. */
class Witness {
  #books = new Map<string, BookOracle>(bookNames.map((name) => [name, BookOracle.blank()]));
  #now = 0;
  #diedAt = 0;
  acknowledged = 0;
  checked = 0;

  nextLife(): void {
    this.#diedAt = this.#now;
  }

  nextVersions(): Record<string, number> {
    return Object.fromEntries(Array.from(this.#books, ([name, oracle]) => [name, oracle.nextVersion]));
  }

  hear(message: Message): void {
    this.#now++;
    if (message.say === 'opening') return;
    const oracle = this.#books.get(message.book)!;
    if (message.say === 'found') {
      oracle.check(message.book, message.pages, this.#diedAt);
      this.#books.set(message.book, oracle.after(this.#diedAt, message.pages, 0));
      this.checked++;
    } else if (message.say === 'ask') oracle.ask(message.edit, this.#now);
    else {
      oracle.acknowledge(message.version, this.#now);
      this.acknowledged++;
    }
  }
}
