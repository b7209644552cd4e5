import { compileFunction } from 'node:vm';

const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];

/**
 * Whether a source is CommonJS, as bundlers tell it: it uses what a CommonJS module is given, and has nothing that only an
 * ES module may have (import, export, await outside of functions).
 */
export function isCommonJs(source: string): boolean {
  if (!/\b(?:module|exports|require)\b/.test(source)) return false;
  try {
    // Parsed, never called.
    compileFunction(source, parameters);
    return true;
  } catch {
    return false;
  }
}
