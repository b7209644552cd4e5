/**
 * The parts that belong to one Worker or one load of its code, for the modules that the loader writes, which only know
 * an id.
 */

import type { Server } from 'node:http';

/** The part of `cloudflare:workers` that belongs to one Worker. */
export interface PlatformModule {
  readonly env: Readonly<Record<string, unknown>>;
  readonly exports: Readonly<Record<string, unknown>>;
  waitUntil(promise: Promise<unknown>): void;
  withEnv<Result>(env: object, body: () => Result): Result;
  withExports<Result>(exports: object, body: () => Result): Result;
  withEnvAndExports<Result>(env: object, exports: object, body: () => Result): Result;
}

interface PlatformParts {
  readonly module: PlatformModule;
}

const platforms = new Map<string, PlatformParts>();

export function keepPlatform(id: string, parts: PlatformParts): void {
  platforms.set(id, parts);
}

export function forgetPlatform(id: string): void {
  platforms.delete(id);
}

export function findPlatform(id: string): PlatformParts {
  const found = platforms.get(id);
  if (found === undefined) throw new Error(`cannot find the platform ${id}: its Worker was closed`);
  return found;
}

/** Servers of `node:http`, by their port number and the number of their load. */
const servers = new Map<string, Map<number, Server>>();

export function findServers(load: string): Map<number, Server> {
  let found = servers.get(load);
  if (found === undefined) servers.set(load, (found = new Map()));
  return found;
}

/** Global objects, by the number of their load. */
const globals = new Map<string, object>();

export function keepGlobal(load: string, global: object): void {
  globals.set(load, global);
}

export function findGlobal(load: string): object {
  return globals.get(load)!;
}
