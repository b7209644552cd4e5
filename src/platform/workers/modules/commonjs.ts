/** Wraps a CommonJS module as one that can be imported: the modules that it requires are imported before it runs. */
import { globalRewriting } from '../realm/global-names.ts';

const requirePattern = /\brequire\(\s*(?:"([^"\n]+)"|'([^'\n]+)')\s*\)/g;

/** `isThere` returns whether a required name can be imported; other names fail when they are required. */
export function wrapCommonJs(text: string, isThere: (specifier: string) => boolean): string {
  const matches = [...text.matchAll(requirePattern)].map(([, double, single]) => (double ?? single)!);
  const names = [...new Set(matches)].filter(isThere);
  const imports = names.map((name, index) => `import * as required${index} from ${JSON.stringify(name)};`);
  const table = names.map((name, index) => `[${JSON.stringify(name)}, required${index}]`);
  // The module's first line stays on the first line.
  return (
    [
      globalRewriting.banner,
      ...imports,
      `const __gatehouse_required = new Map([${table.join(', ')}]);`,
      'const __gatehouse_require = (name) => {',
      '  if (!__gatehouse_required.has(name)) throw new Error(`No such module "${name}".`);',
      '  const found = __gatehouse_required.get(name);',
      "  return 'default' in found ? found.default : found;",
      '};',
      'const __gatehouse_module = { exports: {} };',
    ].join(' ') +
    `((exports, require, module) => {${text}\n})(__gatehouse_module.exports, __gatehouse_require, __gatehouse_module);\n` +
    'export default __gatehouse_module.exports;\n'
  );
}
