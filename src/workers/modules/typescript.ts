/**
 * TypeScript to JavaScript, for the files of a project. Types are blanked out in place, so positions in errors are
 * those of the source. What is more than types (enums, namespaces, parameter properties, JSX) needs a
 * compiler: esbuild, if the project has it, as every project that has Wrangler does.
 */
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import { ConfigError } from '../config/config-error.ts';
import { dropUnusedImports } from './unused-imports.ts';

interface Esbuild {
  transformSync(source: string, options: Record<string, unknown>): { readonly code: string };
}

export function compileTypeScript(source: string, file: string): string {
  const extension = extname(file);
  if (extension.endsWith('x')) return compileWithEsbuild(source, file, 'JSX needs a compiler');
  let stripped: string;
  try {
    stripped = stripTypes(source);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') return compileWithEsbuild(source, file, message);
    if (code === 'ERR_INVALID_TYPESCRIPT_SYNTAX')
      throw new ConfigError(`${file}${placeOf(error as Error)}: ${message}`, { cause: error });
    throw error;
  }
  return dropUnusedImports(stripped);
}

/** The line of a syntax error: Node's stack begins with the source's name, here empty, and the line. */
function placeOf({ stack }: Error): string {
  return /^:\d+(?=\n)/.exec(stack ?? '')?.[0] ?? '';
}

/** Node warns once that this function is experimental. Who runs a Worker can do nothing about that. */
function stripTypes(source: string): string {
  const emitWarning = Reflect.get(process, 'emitWarning');
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function compileWithEsbuild(source: string, file: string, reason: string): string {
  let esbuild: Esbuild;
  try {
    esbuild = createRequire(file)('esbuild') as Esbuild;
  } catch (error) {
    const problem = reason.split('\n').at(-1)!.trim();
    throw new ConfigError(
      `${file}: ${problem}; install esbuild in the project (npm install -D esbuild) to run it`,
      {
        cause: error,
      },
    );
  }
  const loader = extname(file).slice(1).replace(/^[mc]/, '');
  const options = { loader, format: 'esm', target: 'esnext', sourcefile: file, sourcemap: 'inline' };
  return esbuild.transformSync(source, options).code;
}
