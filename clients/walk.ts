/**
 * Every operation of an SDK that the server serves, called by the SDK: its program (`walk/`) reports the method and
 * path of each operation, the contract determines which of these are served, and each is called with ids of created
 * resources.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';
import { createInterface } from 'node:readline';
import { operations } from '#contract';
import { Everything, serveFlags } from '../test/everything/everything.ts';
import { excuses } from './walk/excuses.ts';
import { type Subject, Subjects } from './walk/subjects.ts';
import { sdks } from './sdks.ts';
import { GatehouseServer } from './server.ts';

export interface WalkResult {
  readonly sdk: string;
  /** Of the SDK, of whatever product. */
  readonly operations: number;
  readonly calls: readonly WalkCall[];
}

interface WalkCall {
  /** The operation of the SDK, and that of the contract. */
  readonly what: string;
  readonly operation: OperationId;
  readonly problem: string | null;
  /** Why the problem is not a fault of the server. */
  readonly excuse?: string | undefined;
}

type OperationId = keyof typeof operations;

/** An operation as the program reports it; parts of the path in `__` are parameters. */
interface Said {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly usesBody?: boolean;
}

interface Planned extends Said {
  readonly operation: OperationId;
  /** The parameters of the contract by those of the SDK. */
  readonly names: Readonly<Record<string, string>>;
  /** Parameters of the contract that the SDK writes itself. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** Reading first, deleting last. */
const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const programs = join(import.meta.dirname, 'walk');

/** Names of walks have `only` in them: `walk` for all, `walk python` for one. */
export async function runWalks(
  directory: string,
  { only, cache }: { readonly only: string; readonly cache: string },
): Promise<WalkResult[]> {
  const results: WalkResult[] = [];
  for (const { label, program, prepare } of sdks) {
    const path = join(programs, program);
    if (!`walk ${program}`.includes(only) || !existsSync(path)) continue;
    const command = prepare(path, cache);
    const result = await walk(label, command, join(directory, `walk-${program}`));
    const calls = result.calls.map((each) => ({
      ...each,
      excuse: excuses[`${parse(program).name} ${each.what}`],
    }));
    const refused = calls.filter(({ problem, excuse }) => problem !== null && excuse === undefined).length;
    console.error(`clients: walk with ${label}: ${result.calls.length} calls, ${refused} refused`);
    results.push({ ...result, calls });
  }
  return results;
}

async function walk(label: string, command: readonly string[], directory: string): Promise<WalkResult> {
  await using server = await GatehouseServer.start(directory, serveFlags);
  const { facts } = server;
  const everything = await Everything.make(facts, { hasFlow: false });
  const subjects = await Subjects.open(everything);
  const child = spawn(command[0]!, command.slice(1), {
    env: { ...process.env, GATEHOUSE_API: facts.api, GATEHOUSE_TOKEN: facts.token },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<string> => ((await lines.next()) as { readonly value?: string }).value ?? '';
  const said: Said[] = [];
  for (let line = await read(); line !== ''; line = await read()) said.push(JSON.parse(line) as Said);
  const planned = said
    .flatMap((each) => plan(each) ?? [])
    .filter(({ fixed: { setting_id: id } }) => id === undefined || subjects.settings.has(id))
    .toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
  const calls: WalkCall[] = [];
  for (const { what, operation, names, fixed, usesBody = false } of planned) {
    let taken: Subject;
    try {
      taken = await subjects.take(operation, fixed);
    } catch (error) {
      calls.push({ what, operation, problem: `nothing to call it for: ${String(error)}` });
      continue;
    }
    const { params, body, query } = taken;
    const path = Object.fromEntries(
      Object.entries(names).map(([name, param]) => [name, params[param] ?? 'none']),
    );
    child.stdin.write(
      `${JSON.stringify({ what, path, usesBody, query, body: usesBody || !Array.isArray(body) ? body : body[0] })}\n`,
    );
    const answer = await read();
    if (answer === '') throw new Error(`the program of ${label} ended at ${what}`);
    calls.push({ what, operation, problem: (JSON.parse(answer) as WalkCall).problem });
  }
  child.stdin.end();
  return { sdk: label, operations: new Set(said.map((each) => each.what)).size, calls };
}

const routes = Object.entries(operations)
  .filter(([, { isOurs }]) => !isOurs)
  .map(([id, { method, path }]) => ({ id: id as OperationId, method, parts: path.split('/') }));

/** Undefined if the operation is not served. A route without a parameter comes before one that has one. */
function plan(said: Said): Planned | undefined {
  const parts = said.path.replace(/^\/client\/v4/, '').split('/');
  let best: Planned | undefined;
  for (const { id, method, parts: expected } of routes) {
    if (method !== said.method || expected.length !== parts.length) continue;
    const matched = match(parts, expected);
    if (matched === undefined) continue;
    if (best === undefined || Object.keys(matched.fixed).length < Object.keys(best.fixed).length)
      best = { ...said, operation: id, ...matched };
  }
  return best;
}

function match(
  parts: readonly string[],
  expected: readonly string[],
): Pick<Planned, 'names' | 'fixed'> | undefined {
  const names: Record<string, string> = {};
  const fixed: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const param = /^\{(\w+)\}$/.exec(expected[index]!)?.[1];
    const name = /^__(\w+)__$/.exec(part)?.[1];
    if (param === undefined && part !== expected[index]) return undefined;
    if (param !== undefined && name !== undefined) names[name] = param;
    else if (param === 'setting_id') fixed[param] = part;
    else if (param !== undefined) return undefined;
  }
  return { names, fixed };
}
