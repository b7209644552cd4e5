/** One attempt to run a command that is killed, and its parts, which the files of `commands/` provide. */
import { ok } from 'node:assert/strict';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { PostgresServer } from '../cluster/postgres-server.ts';
import {
  createFolder,
  expressions,
  type Outcome,
  type RunOptions,
  type State,
  type Template,
} from './rig.ts';

export interface Parts {
  /** Of the attempt. */
  readonly t: TestContext;
  /** Lasts as long as the file. */
  readonly shared: TestContext;
  readonly postgres: PostgresServer;
  /** With its objects in one process, and in two. */
  readonly single: Template;
  readonly double: Template;
}

/** One attempt in a separate folder. */
export interface Attempt extends Pick<RunOptions, 'args' | 'doneFile' | 'environment' | 'whenReady'> {
  /**
   * Checks that, at whichever step it was killed, nothing is mixed up, empty or lost. Returns whether a server shows
   * that it had done everything.
   */
  checkKilled(): Promise<boolean>;
  checkDone(outcome: Outcome): Promise<void>;
}

export interface KilledCommand {
  /** The decisive step, at which `npm test` kills it. */
  readonly decisive: RegExp;
  /** Of several such steps, the first that writes this. */
  readonly decisiveText?: string;
  /** `npm test` runs a similar command instead. */
  readonly isOnlyInSweep?: boolean;
  prepare(parts: Parts, folder: string): Promise<Attempt>;
}

const [old] = expressions;
export const oldOnly: readonly (readonly string[])[] = [[old]];

/** Returns whether the server runs on the created directory. */
export function checkState(
  state: State,
  allowed: readonly (readonly string[])[],
  { mayRefuse = false }: { readonly mayRefuse?: boolean } = {},
): boolean {
  if ('refused' in state) {
    ok(mayRefuse, `a server starts: ${state.refused}`);
    return false;
  }
  ok(
    allowed.some((each) => JSON.stringify(each) === JSON.stringify(state)),
    `the server shows ${JSON.stringify(state)}`,
  );
  return true;
}

/** For a command that changes a directory in use: a server starts on it at any time, and then the command is repeated. */
export function checkServed(
  { t }: Parts,
  template: Template,
  folder: string,
  { killed = oldOnly, done = oldOnly } = {},
): Pick<Attempt, 'checkKilled' | 'checkDone'> {
  return {
    checkKilled: async () => !checkState(await template.look(t, { folder }), killed),
    checkDone: async () => void checkState(await template.look(t, { folder }), done),
  };
}

/** For a command that creates `data`: a server on it is refused until it is complete. */
export function checkMade(
  { t }: Parts,
  template: Template,
  folder: string,
): Pick<Attempt, 'checkKilled' | 'checkDone'> {
  const data = join(folder, 'data');
  return {
    async checkKilled() {
      if (!existsSync(data) || readdirSync(data).length === 0) return false;
      return checkState(await template.look(t, { folder }), oldOnly, { mayRefuse: true });
    },
    checkDone: async () => void checkState(await template.look(t, { folder }), oldOnly),
  };
}

/**
 * A folder that is slow to create is created once, and copied for each attempt. Returns the values found while creating
 * it.
 */
export function copyOf<T>(
  make: (parts: Parts, folder: string) => Promise<T>,
): (parts: Parts, folder: string) => Promise<T> {
  let made: Promise<{ readonly folder: string; readonly value: T }> | undefined;
  return async (parts, folder) => {
    made ??= (async () => {
      const first = createFolder(parts.shared);
      return { folder: first, value: await make({ ...parts, t: parts.shared }, first) };
    })();
    const { folder: first, value } = await made;
    cpSync(first, folder, { recursive: true });
    return value;
  };
}
