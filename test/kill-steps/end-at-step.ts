/**
 * Ends the process that imports it at the n-th step that changes something outside of it: a file, a folder, or a statement
 * to a database. `KILL_AT_STEP` is n; what the steps are is appended to `KILL_STEPS_FILE`, a line each; they
 * count as soon as the file `KILL_STEPS_SINCE` exists, if it is set. The program does not know of it:
 * `node --import ./test/kill-steps/end-at-step.ts src/cli/main.ts …`.
 *
 * The step at which the process ends is not done. Of all ends between two steps, that is the only one that differs.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import pg from 'pg';

const since = process.env['KILL_STEPS_SINCE'];
const endAt = Number(process.env['KILL_AT_STEP'] ?? Infinity);
const stepsFile = process.env['KILL_STEPS_FILE'];
const { appendFileSync, existsSync } = fs;
let steps = 0;
/** Noting a step is none. */
let isNoting = false;

function step(kind: string, what: unknown): void {
  if (isNoting || (since !== undefined && !existsSync(since))) return;
  isNoting = true;
  if (stepsFile !== undefined) appendFileSync(stepsFile, `${kind} ${describe(what)}\n`);
  isNoting = false;
  if (++steps === endAt) process.kill(process.pid, 'SIGKILL');
}

/** Without what is another one in each run. */
function describe(what: unknown): string {
  if (typeof what === 'number') return 'a file';
  const text = typeof what === 'object' && what !== null ? 'a file' : String(what);
  return text
    .replace(/\s+/g, ' ')
    .replaceAll(/[0-9a-f]{8,}/g, '#')
    .replaceAll(/\d+/g, '0')
    .replaceAll(/-[A-Za-z0-9]{6}(?=\/|$)/g, '-*')
    .slice(0, 160);
}

type Target = Record<string, (...args: unknown[]) => unknown>;

const changing = [
  ...[
    'appendFile',
    'chmod',
    'copyFile',
    'cp',
    'link',
    'mkdir',
    'mkdtemp',
    'rename',
    'rm',
    'rmdir',
    'symlink',
  ],
  ...['truncate', 'unlink', 'utimes', 'writeFile'],
];
const changingByHandle = ['fdatasync', 'fsync', 'ftruncate', 'write', 'writev'];

function wrap(target: Target, name: string, kind = name): void {
  const before = target[name];
  if (before === undefined) return;
  target[name] = function counted(this: unknown, ...args: unknown[]) {
    step(kind, args[0]);
    return before.apply(this, args);
  };
}

for (const name of [...changing, ...changingByHandle]) {
  wrap(fs as unknown as Target, name);
  wrap(fs as unknown as Target, `${name}Sync`, name);
  wrap(fs.promises as unknown as Target, name);
}

const { open } = fs.promises;
const wrapped = new WeakSet<object>();
fs.promises.open = async (...args) => {
  const handle = await open(...args);
  const prototype = Object.getPrototypeOf(handle) as object;
  if (!wrapped.has(prototype)) {
    wrapped.add(prototype);
    for (const name of ['appendFile', 'datasync', 'sync', 'truncate', 'write', 'writeFile', 'writev'])
      wrap(prototype as Target, name);
  }
  return handle;
};
syncBuiltinESMExports();

const { query } = pg.Client.prototype;
(pg.Client.prototype as unknown as Target)['query'] = function counted(this: unknown, ...args: unknown[]) {
  const [statement] = args;
  const text = typeof statement === 'string' ? statement : (statement as { readonly text: string }).text;
  if (!/^\s*SELECT\b/.test(text)) step('statement', text);
  return (query as (...all: unknown[]) => unknown).apply(this, args);
};
