/** Files that become modules by Wrangler's rules: WebAssembly, text and bytes. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { findRule, type RuleType } from '#workers';

type Rules = Parameters<typeof findRule>[0];

/** The rule of a file; undefined for code, and for queries that Vite handles itself (`?raw`). */
export function ruleOf(id: string, rules: Rules): RuleType | undefined {
  const [path, query] = id.split('?', 2);
  if (query !== undefined && query !== 'module') return undefined;
  const type = findRule(rules, basename(path!))?.type ?? findRule(rules, path!.replace(/^\//, ''))?.type;
  return type === 'CompiledWasm' || type === 'Text' || type === 'Data' ? type : undefined;
}

/** The source of a module that exports the content of the file. */
export async function writeFileModule(id: string, type: RuleType): Promise<string> {
  const file = id.split('?', 1)[0]!;
  if (type === 'Text') return `export default ${JSON.stringify(await readFile(file, 'utf8'))};`;
  const bytes = `readFileSync(${JSON.stringify(file)})`;
  const value =
    type === 'CompiledWasm' ? `new WebAssembly.Module(${bytes})` : `Uint8Array.from(${bytes}).buffer`;
  return `import { readFileSync } from "node:fs";\nexport default ${value};`;
}
