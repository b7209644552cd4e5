/**
 * The functions of one program during generation. A long program is built in parts, because V8 compiles each source
 * text in one piece. A function can call those of its own part by name; functions of earlier parts are constants to it.
 * Functions that cache their value do so until `begin` is called.
 */
import type { RequestView } from '../request-view.ts';
import { Constants } from './constants.ts';

export type BuiltFunction = (request: RequestView) => never;

/** Code length from which a part is built: V8 compiles it in about a millisecond. */
const partCharactersMin = 32_768;

export const joinLines = (...parts: readonly string[]): string => parts.join('\n');

export class ProgramParts {
  /** The state of the part that is being written: everything up to `#built`. */
  constants = new Constants();
  #functions: string[] = [];
  #characters = 0;
  #keptCount = 0;
  /** The names of functions that cache their value, by the key of what they return. */
  readonly #keptNames = new Map<string, string>();
  readonly #built = new Map<string, BuiltFunction>();
  readonly #kept = new Map<string, BuiltFunction>();
  readonly #begins: (() => void)[] = [];
  #functionCount = 0;

  get keepsValues(): boolean {
    return this.#begins.length > 0 || this.#keptCount > 0;
  }

  /** Adds a function of the request `r` and returns its name. */
  add(body: string): string {
    const name = `f${this.#functionCount++}`;
    const code = `const ${name} = (r) => {\n${body}\n};`;
    this.#functions.push(code);
    this.#characters += code.length;
    return name;
  }

  /**
   * A call of the function that caches the value of a key. `define` creates it if it does not exist: it passes the code
   * of the value to `keep`, and returns the name.
   */
  callKept(key: string, define: (keep: (code: string) => string) => string): string {
    const built = this.#kept.get(key);
    if (built !== undefined) return `${this.constants.name(built)}(r)`;
    let name = this.#keptNames.get(key);
    if (name === undefined) {
      const slot = this.#keptCount++;
      name = define((code) =>
        joinLines(
          `if (runs[${slot}] === run) return kept[${slot}];`,
          `runs[${slot}] = run;`,
          `return (kept[${slot}] = ${code});`,
        ),
      );
      this.#keptNames.set(key, name);
    }
    return `${name}(r)`;
  }

  /** Builds the code added so far, if it is long. Returns its length in characters. */
  buildPart(): number {
    return this.#characters < partCharactersMin ? 0 : this.#build();
  }

  build(names: readonly string[]): { begin: () => void; functions: BuiltFunction[] } {
    this.#build();
    const [first = () => {}, ...others] = this.#begins;
    const begin = (): void => {
      first();
      for (const each of others) each();
    };
    return {
      begin: others.length === 0 ? first : begin,
      functions: names.map((name) => this.#built.get(name)!),
    };
  }

  #build(): number {
    const firstNumber = this.#functionCount - this.#functions.length;
    const names = this.#functions.map((_, index) => `f${firstNumber + index}`);
    const { begin, functions } = this.constants.evaluate(
      joinLines(
        'let run = 0;',
        `const runs = new Float64Array(${this.#keptCount});`,
        `const kept = new Array(${this.#keptCount});`,
        ...this.#functions,
        `return { begin: () => { run += 1; }, functions: [${names.join()}] };`,
      ),
    ) as { begin: () => void; functions: BuiltFunction[] };
    if (this.#keptCount > 0) this.#begins.push(begin);
    for (const [index, name] of names.entries()) this.#built.set(name, functions[index]!);
    for (const [key, name] of this.#keptNames) this.#kept.set(key, this.#built.get(name)!);
    const characters = this.#characters;
    this.constants = new Constants();
    this.#functions = [];
    this.#characters = 0;
    this.#keptCount = 0;
    this.#keptNames.clear();
    return characters;
  }
}
