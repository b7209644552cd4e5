/**
 * Kills the process that imports it at a step that changes something outside it: a file, a folder, or data changed by a
 * database statement or a request to a server. The program is not aware of it: `node --import
 * ./test/kill-steps/end-at-step.ts src/program/cli/main.ts …`.
 *
 * `KILL_AT_STEP` is a pattern of steps, and `KILL_AT_OCCURRENCE` says at which of them, or at which of those that write
 * `KILL_AT_TEXT`; the kinds of all are appended to `KILL_STEPS_FILE`, a line for each step. Steps count as soon as the
 * file `KILL_STEPS_SINCE` exists, and until `KILL_STEPS_UNTIL` does, if these are set.
 *
 * A kill keeps data in the kernel and rolls back open transactions. So these are not steps: a sync, creating a folder
 * that exists, removing something that does not exist, and scratch files, which are not read afterwards. Statements of
 * a transaction are all of one kind, since none is visible before the commit.
 *
 * Processes that it starts do not count: they would be killed at their own steps, restarted, and never be ready.
 *
 * The step at which the process ends is not done. Of all ends between two steps, that is the only one that differs.
 */
import fs from 'node:fs';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import pg from 'pg';

const since = process.env['KILL_STEPS_SINCE'];
const until = process.env['KILL_STEPS_UNTIL'];
const pattern = process.env['KILL_AT_STEP'];
const endAt = pattern === undefined ? undefined : new RegExp(pattern);
const text = process.env['KILL_AT_TEXT'] ?? '';
const stepsFile = process.env['KILL_STEPS_FILE'];
let left = Number(process.env['KILL_AT_OCCURRENCE'] ?? 1);
for (const name of ['SINCE', 'UNTIL', 'FILE']) delete process.env[`KILL_STEPS_${name}`];
for (const name of ['STEP', 'TEXT', 'OCCURRENCE']) delete process.env[`KILL_AT_${name}`];

const { appendFileSync, existsSync, readlinkSync } = fs;
const home = `${process.cwd()}/`;
/** Recording a step is not a step, and a step may contain others: `writeFile` opens. */
let isInside = false;

/** Returns the result of the step itself. */
function step<T>(kind: string | undefined, args: readonly unknown[], work: () => T): T {
  if (kind === undefined || isInside) return work();
  isInside = true;
  try {
    note(kind, args);
    return work();
  } finally {
    isInside = false;
  }
}

function note(kind: string, args: readonly unknown[]): void {
  if ((since !== undefined && !existsSync(since)) || (until !== undefined && existsSync(until))) return;
  if (stepsFile !== undefined) appendFileSync(stepsFile, `${kind}\n`);
  if (endAt?.test(kind) === true && writesText(args) && --left === 0) process.kill(process.pid, 'SIGKILL');
}

/** The bytes are an argument, or a list that is one. */
function writesText(args: readonly unknown[]): boolean {
  if (text === '') return true;
  return Buffer.concat(args.flat().filter((each) => each instanceof Uint8Array)).includes(text);
}

/** Without parts that differ in each run, or for each object. */
function generalise(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replaceAll(/[0-9a-f]{8,}/g, '#')
    .replaceAll(/\/[0-9a-f]{2}(?=\/|$)/g, '/#')
    .replaceAll(/-[A-Za-z0-9]{6}(?=\/|$)/g, '-*')
    .replaceAll(/\d+/g, '0')
    .slice(0, 160);
}

/** A file in the folder where the command runs; undefined for scratch, which `live` is, too. */
function findPath(what: unknown): string | undefined {
  if (typeof what === 'number') {
    try {
      return findPath(readlinkSync(`/proc/self/fd/${what}`).replace(/ \(deleted\)$/, ''));
    } catch {
      return undefined;
    }
  }
  const path = resolve(what instanceof URL ? what.pathname : String(what));
  if (path.startsWith(home)) return /\/live(?:\/|$)/.test(path) ? undefined : path;
  const isScratch = path.startsWith(`${tmpdir()}/`) || path.startsWith('/dev/') || path.includes('[');
  return isScratch ? undefined : path;
}

type Describe = (args: readonly unknown[]) => string | undefined;
type Target = Record<string, (...args: unknown[]) => unknown>;

function describePath(name: string, isStep: (path: string, args: readonly unknown[]) => boolean): Describe {
  return (args) => {
    const path = findPath(args[0]);
    if (path === undefined || !isStep(path, args)) return undefined;
    return `${name} ${generalise(path.startsWith(home) ? path.slice(home.length) : path)}`;
  };
}

function wrap(target: Target, name: string, describe: Describe): void {
  const before = target[name];
  if (before === undefined) return;
  target[name] = function counted(this: unknown, ...args: unknown[]) {
    return step(describe(args), args, () => before.apply(this, args));
  };
}

const always = (): boolean => true;
const ifThere = (path: string): boolean => existsSync(path);
/** The file that it opens for writing, and thereby creates or truncates. */
const ifChanged = (path: string, [, flags = 'r']: readonly unknown[]): boolean => {
  const { O_CREAT, O_TRUNC } = fs.constants;
  const creates = typeof flags === 'number' ? (flags & O_CREAT) !== 0 : /[wa]/.test(String(flags));
  const empties = typeof flags === 'number' ? (flags & O_TRUNC) !== 0 : String(flags).includes('w');
  return (creates && !existsSync(path)) || (empties && existsSync(path));
};
const changing: Readonly<Record<string, (path: string, args: readonly unknown[]) => boolean>> = {
  ...Object.fromEntries(
    ['appendFile', 'chmod', 'copyFile', 'cp', 'link', 'mkdtemp', 'symlink', 'truncate'].map((name) => [
      name,
      always,
    ]),
  ),
  ...Object.fromEntries(
    ['utimes', 'writeFile', 'ftruncate', 'write', 'writev'].map((name) => [name, always]),
  ),
  ...Object.fromEntries(['rename', 'rm', 'rmdir', 'unlink'].map((name) => [name, ifThere])),
  mkdir: (path) => !existsSync(path),
  open: ifChanged,
};

for (const [name, isStep] of Object.entries(changing)) {
  const describe = describePath(name, isStep);
  wrap(fs as unknown as Target, name, describe);
  wrap(fs as unknown as Target, `${name}Sync`, describe);
  if (name !== 'open') wrap(fs.promises as unknown as Target, name, describe);
}

const { open } = fs.promises;
const describeOpen = describePath('open', ifChanged);
const wrapped = new WeakSet<object>();
fs.promises.open = async (...args) => {
  const handle = await step(describeOpen(args), args, () => open(...args));
  const prototype = Object.getPrototypeOf(handle) as object;
  if (!wrapped.has(prototype)) {
    wrapped.add(prototype);
    for (const name of ['appendFile', 'truncate', 'write', 'writeFile', 'writev'])
      wrapHandle(prototype as Target, name);
  }
  return handle;
};

function wrapHandle(target: Target, name: string): void {
  const before = target[name]!;
  const describe = describePath(name, always);
  target[name] = function counted(this: unknown, ...args: unknown[]) {
    return step(describe([(this as { readonly fd: number }).fd]), args, () => before.apply(this, args));
  };
}
syncBuiltinESMExports();

const { query } = pg.Client.prototype;
const inTransaction = new WeakSet<object>();
(pg.Client.prototype as unknown as Target)['query'] = function counted(this: object, ...args: unknown[]) {
  const [statement] = args;
  const statementText =
    typeof statement === 'string' ? statement : (statement as { readonly text: string }).text;
  return step(describeStatement(this, statementText.trimStart()), args, () =>
    (query as (...all: unknown[]) => unknown).apply(this, args),
  );
};

function describeStatement(client: object, text: string): string | undefined {
  if (/^BEGIN\b/.test(text)) {
    inTransaction.add(client);
    return undefined;
  }
  if (/^(?:COMMIT|ROLLBACK)\b/.test(text)) {
    inTransaction.delete(client);
    return `statement ${text}`;
  }
  if (inTransaction.has(client)) return 'statement of a transaction';
  return /^SELECT\b/.test(text) ? undefined : `statement ${generalise(text)}`;
}

const { end } = http.ClientRequest.prototype;
(http.ClientRequest.prototype as unknown as Target)['end'] = function counted(
  this: http.ClientRequest,
  ...args: unknown[]
) {
  const kind = this.method === 'GET' ? undefined : `request ${generalise(`${this.method} ${this.path}`)}`;
  return step(kind, args, () => (end as (...all: unknown[]) => unknown).apply(this, args));
};
