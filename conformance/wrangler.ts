import { readFileSync } from 'node:fs';

/** The parts of a wrangler file that this suite uses. */
export interface Wrangler {
  readonly main: string;
  readonly compatibility_date: string;
  readonly compatibility_flags?: readonly string[];
  readonly durable_objects: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
  readonly migrations: readonly {
    readonly new_classes?: readonly string[];
    readonly new_sqlite_classes?: readonly string[];
  }[];
  readonly vars?: Readonly<Record<string, unknown>>;
}

/** Ours have no comments, only the trailing commas that the formatter puts into `.jsonc`. */
export function readWrangler(path: string): Wrangler {
  return JSON.parse(readFileSync(path, 'utf8').replaceAll(/,(?=\s*[\]}])/g, '')) as Wrangler;
}

export function classesOf(wrangler: Wrangler): { name: string; sql: boolean }[] {
  return wrangler.migrations.flatMap(({ new_classes = [], new_sqlite_classes = [] }) => [
    ...new_sqlite_classes.map((name) => ({ name, sql: true })),
    ...new_classes.map((name) => ({ name, sql: false })),
  ]);
}
