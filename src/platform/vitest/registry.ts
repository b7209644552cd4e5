/** Where the modules of the platform are found by code that Vitest loads: it knows a name only. */
export type ModuleTable = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const key = 'gatehouse.vitest';

/** An expression for the code of a module. */
export const tableExpression = `globalThis[Symbol.for(${JSON.stringify(key)})]`;

/** What the thread has for the setup file that every test file runs. */
export interface Hooks {
  /** Loads the Worker under test, if it can be. */
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
