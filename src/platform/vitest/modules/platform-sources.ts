/** The source of the platform's modules, as Vite serves them to tests and to the Worker under test. */
import { platformModuleNames } from '#workers';
import { tableExpression } from '../registry.ts';
import { refusedTestNames, testModuleNames } from './module-names.ts';

const testNames = [...testModuleNames, ...Object.keys(refusedTestNames)];

/** Undefined if the platform has no module of this name. */
export function writePlatformModule(name: string): string | undefined {
  if (!name.startsWith('cloudflare:')) return undefined;
  const names = name === 'cloudflare:test' ? testNames : platformModuleNames.get(name);
  if (names === undefined)
    return `throw new Error(${JSON.stringify(`${name} is a part of the platform that Gatehouse does not have`)});`;
  const table = `${tableExpression}[${JSON.stringify(name)}]`;
  return names.map((each) => `export const ${each} = ${table}.${each};`).join('\n');
}
