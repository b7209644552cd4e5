/** What belongs to one Worker, for the modules that the loader writes, which know no more than an id. */

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
  readonly processEnv: Readonly<Record<string, string>>;
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
