/** A table of the platform's modules, for code that Vitest loads: it only knows a name. */
export type ModuleTable = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const key = 'gatehouse.vitest';

/** An expression for a module's table. */
export const tableExpression = `globalThis[Symbol.for(${JSON.stringify(key)})]`;

/** The thread's functions for the setup file that every test file runs. */
export interface Hooks {
  /** Loads the Worker under test, if possible. */
  loadMain(): Promise<void>;
  beginTest(name: string): void;
}

export const hooksName = 'gatehouse:hooks';

export function findHooks(): Hooks {
  const table = (globalThis as unknown as Readonly<Record<symbol, ModuleTable>>)[Symbol.for(key)]!;
  return table[hooksName] as unknown as Hooks;
}

export function keepModules(table: ModuleTable): void {
  Object.defineProperty(globalThis, Symbol.for(key), { value: table, configurable: true });
}
