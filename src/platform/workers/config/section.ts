/** A table of a configuration file, read with checks whose messages name the place of the error. */
import { isObject } from '#base';
import { ConfigError } from './config-error.ts';

export class Section {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #file: string;
  readonly #path: string;

  constructor(value: unknown, file: string, path = '') {
    this.#file = file;
    this.#path = path;
    if (!isObject(value)) {
      throw this.error(`${path === '' ? 'the file' : path} must be a table of keys and values`);
    }
    this.#values = value;
  }

  get keys(): string[] {
    return Object.keys(this.#values);
  }

  value(key: string): unknown {
    return this.#values[key];
  }

  string(key: string): string | undefined {
    const value = this.#values[key];
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value === '') throw this.#mustBe(key, 'a string that is not empty');
    return value;
  }

  requiredString(key: string): string {
    const value = this.string(key);
    if (value === undefined) throw this.error(`${this.#at(key)} is missing`);
    return value;
  }

  boolean(key: string): boolean | undefined {
    const value = this.#values[key];
    if (value !== undefined && typeof value !== 'boolean') throw this.#mustBe(key, 'true or false');
    return value;
  }

  strings(key: string): string[] {
    const value = this.#values[key] ?? [];
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');
    if (!isList) throw this.#mustBe(key, 'a list of strings');
    return value as string[];
  }

  stringTable(key: string): Record<string, string> {
    const table = this.section(key);
    if (table === undefined) return {};
    const isTable = Object.values(table.#values).every((item) => typeof item === 'string');
    if (!isTable) throw this.#mustBe(key, 'a table of strings');
    return { ...table.#values } as Record<string, string>;
  }

  section(key: string): Section | undefined {
    const value = this.#values[key];
    return value === undefined ? undefined : new Section(value, this.#file, this.#at(key));
  }

  sections(key: string): Section[] {
    const value = this.#values[key] ?? [];
    if (!Array.isArray(value)) throw this.#mustBe(key, 'a list of tables');
    return value.map((item, index) => new Section(item, this.#file, `${this.#at(key)}[${index}]`));
  }

  /** The same table with further keys: lists are appended, tables are merged, anything else is replaced. */
  with(extra: Readonly<Record<string, unknown>>): Section {
    return new Section(join(this.#values, extra), this.#file, this.#path);
  }

  error(problem: string): ConfigError {
    return new ConfigError(`${this.#file}: ${problem}`);
  }

  #at(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }

  #mustBe(key: string, what: string): ConfigError {
    return this.error(`${this.#at(key)} must be ${what}: ${JSON.stringify(this.#values[key])}`);
  }
}

function join(
  values: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const joined: Record<string, unknown> = { ...values };
  for (const [key, value] of Object.entries(extra)) {
    const own = joined[key];
    if (Array.isArray(own) && Array.isArray(value))
      joined[key] = [...(own as unknown[]), ...(value as unknown[])];
    else joined[key] = isObject(own) && isObject(value) ? join(own, value) : value;
  }
  return joined;
}
