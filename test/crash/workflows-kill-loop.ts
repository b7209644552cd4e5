/**
 * Kills a program with workflows repeatedly in one directory, and compares the ledger of its steps with the final
 * results of the instances.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findTestCluster } from '../cluster/test-cluster.ts';
import { Random } from '../faults/random.ts';
import { instancesPerRound, type Line, type Note } from './workflows-ledger.ts';

const childPath = join(import.meta.dirname, 'workflows-child.ts');
/** The result of the run in `workflows-child.ts`: a token of each step and one of the event. */
const tokenCount = 8;

export interface WorkflowKillResult {
  readonly instances: number;
  /** Attempts of steps that have reached the ledger. */
  readonly attempts: number;
  /** Steps whose first attempt was not the last. */
  readonly repeated: number;
  readonly problems: readonly string[];
}

export async function killWorkflows(options: {
  readonly seed: number;
  readonly rounds: number;
}): Promise<WorkflowKillResult> {
  const { seed, rounds } = options;
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-workflows-kill-'));
  const cluster = await findTestCluster();
  const random = new Random(seed);
  const run = (round: number, task: string, linesMax: number): Promise<Line[]> =>
    runChild([directory, String(round), task, cluster?.url ?? ''], linesMax);
  try {
    for (let round = 1; round <= rounds; round++)
      await run(round, 'live', 1 + random.below(12 * instancesPerRound));
    return judge(await run(rounds, 'verify', Infinity));
  } finally {
    await cluster?.remove();
    rmSync(directory, { recursive: true });
  }
}

/** It is killed after this many lines, unless it exits before. */
async function runChild(args: readonly string[], linesMax: number): Promise<Line[]> {
  const child = spawn(process.execPath, [childPath, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines: Line[] = [];
  for await (const line of createInterface(child.stdout)) {
    if (lines.length < linesMax) lines.push(JSON.parse(line) as Line);
    if (lines.length === linesMax) child.kill('SIGKILL');
  }
  const [code] = (await exited) as [number | null];
  if (lines.length < linesMax && code !== 0) throw new Error(`the child ended with ${code}`);
  return lines;
}

function judge(lines: readonly Line[]): WorkflowKillResult {
  const notes = lines.flatMap((line) => (line.say === 'note' ? [line.note] : []));
  const outputs = lines.flatMap((line) => (line.say === 'output' ? [line] : []));
  const problems = outputs.flatMap(({ instance, status, output }) => {
    const own = notes.filter((note) => note.instance === instance);
    if (status !== 'complete' || !Array.isArray(output) || output.length !== tokenCount)
      return [`${instance} is ${status} with ${JSON.stringify(output)}`];
    return findContradictions(instance, own, output as string[]);
  });
  const firsts = notes.filter(({ attempt }) => attempt === 1).length;
  return { instances: outputs.length, attempts: notes.length, repeated: notes.length - firsts, problems };
}

/** The notes are in the order in which they reached the ledger. */
function findContradictions(instance: string, notes: readonly Note[], tokens: readonly string[]): string[] {
  const problems: string[] = [];
  const last = new Map<number, Note>();
  for (const note of notes) {
    const { step, attempt, before } = note;
    const earlier = last.get(step);
    if (earlier !== undefined && earlier.attempt >= attempt)
      problems.push(`${instance}: step ${step} has attempt ${attempt} after ${earlier.attempt}`);
    if (before.some((token, index) => token !== tokens[index]))
      problems.push(`${instance}: step ${step} saw results that were taken back`);
    const later = [...last.values()].find((other) => other.before.length > step);
    if (later !== undefined) problems.push(`${instance}: step ${step} was run after step ${later.step}`);
    last.set(step, note);
  }
  for (const [step, { token }] of last)
    if (token !== tokens[step]) problems.push(`${instance}: the last attempt of step ${step} was dropped`);
  // One token is that of the event.
  if (last.size !== tokenCount - 1) problems.push(`${instance}: ${last.size} steps were run`);
  return problems;
}
