/**
 * Kills a program with bindings at random moments, repeatedly in one directory, and checks for the acknowledged writes:
 *
 *     npm run verify -- crash:bindings --rounds 50
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readOptions } from '../../tools/read-options.ts';
import { lanes } from './bindings-child.ts';

const usage = `usage: npm run verify -- crash:bindings [options]

Kills a program that writes to KV, D1, R2 and a queue, and fails if something is missing that it acknowledged.

  --rounds COUNT   how often it is killed; 20 by default
  --help           this text`;
const options = readOptions(usage, { rounds: { type: 'string', default: '20' } });

const child = join(import.meta.dirname, 'bindings-child.ts');
const kinds = ['kv', 'r2', 'd1', 'queue'] as const;

/** The last acknowledged number of each lane, by kind, and the last one started. */
const acknowledged = Object.fromEntries(kinds.map((kind) => [kind, Array<number>(lanes).fill(0)]));
const sent = new Set<string>();
const delivered = new Set<string>();
const inserted = new Set<string>();
let last = 0;

function note([word, first, second]: readonly string[]): void {
  const [lane, number] = [Number(first), Number(second)];
  if (word === 'begun') last = Math.max(last, number);
  else if (word === 'delivered') delivered.add(`${lane} ${number}`);
  else if (word !== undefined && word in acknowledged) {
    acknowledged[word]![lane] = number;
    if (word === 'queue') sent.add(`${lane} ${number}`);
    if (word === 'd1') inserted.add(`${lane} ${number}`);
  }
}

/** Runs the program; it is killed after this many lines, unless it exits before. */
async function run(directory: string, task: string, linesMax: number): Promise<string[][]> {
  const program = spawn(process.execPath, [child, directory, task], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(program, 'exit');
  const lines: string[][] = [];
  for await (const line of createInterface(program.stdout)) {
    const words = line.split(' ');
    note(words);
    lines.push(words);
    if (lines.length === linesMax) program.kill('SIGKILL');
  }
  const [code] = (await exited) as [number | null];
  if (lines.length < linesMax && code !== 0) throw new Error(`the program ended with ${code}`);
  return lines;
}

function findProblems(lines: readonly string[][]): string[] {
  const problems: string[] = [];
  for (const [word, kind, lane, number] of lines) {
    if (word !== 'stored') continue;
    const least = acknowledged[kind!]![Number(lane)]!;
    if (!(Number(number) >= least && Number(number) <= last))
      problems.push(`${kind} of lane ${lane} is ${number}, of ${least} to ${last}`);
  }
  const rows = lines.filter(([word]) => word === 'row').map(([, lane, number]) => `${lane} ${number}`);
  if (new Set(rows).size < rows.length) problems.push('D1 has a row twice');
  for (const row of inserted.difference(new Set(rows))) problems.push(`D1 lacks the row ${row}`);
  for (const message of sent.difference(delivered))
    problems.push(`the message ${message} was never delivered`);
  return problems;
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bindings-kill-'));
try {
  for (let round = 0; round < Number(options.rounds); round++)
    await run(directory, String(last + 1), 20 + Math.floor(Math.random() * 400));
  const problems = findProblems(await run(directory, 'verify', Infinity));
  const [bucket] = readdirSync(join(directory, 'buckets'));
  const files = readdirSync(join(directory, 'buckets', bucket!)).length;
  if (files !== lanes) problems.push(`there are ${files} files of ${lanes} objects`);
  console.log(
    `${options.rounds} kills: ${inserted.size} rows, ${sent.size} messages sent, ${delivered.size} delivered, ${problems.length} problems`,
  );
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
