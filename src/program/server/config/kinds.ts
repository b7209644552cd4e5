/** The kinds of values of settings: their notation in a file, in the environment and on the command line. */
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';

/** A value as written in a configuration file; in the environment and on the command line, it is text. */
export type Written = string | number | boolean | readonly string[] | Readonly<Record<string, unknown>>;

export interface Kind<Value> {
  /** The placeholder for the value in help. */
  readonly placeholder: string;
  /** The rule for the value, after "must be". */
  readonly rule: string;
  /** Undefined if the value violates the rule. */
  read(written: Written, context: ReadContext): Value | undefined;
  /** The value as written in the environment. */
  write(value: Value): string;
}

interface ReadContext {
  /** The base of relative paths. */
  readonly directory: string;
}

const toText = (value: unknown): string => String(value);

export function text({ min = 1, max = 200 } = {}): Kind<string> {
  return {
    placeholder: 'TEXT',
    rule: `text of ${min} to ${max} characters`,
    read: (written) =>
      typeof written === 'string' && written.length >= min && written.length <= max ? written : undefined,
    write: toText,
  };
}

/** A suffix for the names of Workers, short enough for a label of 63 characters before it. */
export const domain: Kind<string> = {
  placeholder: 'NAME',
  rule: 'a domain name in lower case, such as workers.example.com',
  read: (written) =>
    typeof written === 'string' &&
    written.length <= 189 &&
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(written)
      ? written
      : undefined,
  write: toText,
};

export const email: Kind<string> = {
  placeholder: 'EMAIL',
  rule: 'an e-mail address',
  read: (written) =>
    typeof written === 'string' && written.length <= 100 && /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*$/.test(written)
      ? written
      : undefined,
  write: toText,
};

export function path(placeholder: 'FILE' | 'DIRECTORY'): Kind<string> {
  return {
    placeholder,
    rule: 'a path',
    read: (written, { directory }) => {
      if (typeof written !== 'string' || written === '' || written.includes('\0')) return undefined;
      return isAbsolute(written) ? written : resolve(directory, written);
    },
    write: toText,
  };
}

export function wholeNumber({ min, max }: { readonly min: number; readonly max: number }): Kind<number> {
  return {
    placeholder: 'N',
    rule: `a whole number from ${min} to ${max}`,
    read: (written) => {
      const isDigits = typeof written === 'string' && /^\d{1,15}$/.test(written);
      const number = isDigits ? Number(written) : written;
      const isValid = Number.isSafeInteger(number) && Number(number) >= min && Number(number) <= max;
      return isValid ? (number as number) : undefined;
    },
    write: toText,
  };
}

export const port: Kind<number> = wholeNumber({ min: 0, max: 65_535 });

/** For listeners that can be off. */
export const portOrOff: Kind<number | 'off'> = {
  placeholder: 'N|off',
  rule: `${port.rule}, or off`,
  read: (written, context) => (written === 'off' ? 'off' : port.read(written, context)),
  write: toText,
};

/** A number of processes, or one for each core. */
export function processCount(bounds: { readonly min: number; readonly max: number }): Kind<number | 'cores'> {
  const count = wholeNumber(bounds);
  return {
    placeholder: 'N|cores',
    rule: `${count.rule}, or cores`,
    read: (written, context) => (written === 'cores' ? 'cores' : count.read(written, context)),
    write: toText,
  };
}

export const address: Kind<string> = {
  placeholder: 'ADDRESS',
  rule: 'an IP address or localhost',
  read: (written) =>
    typeof written === 'string' && (isIP(written) !== 0 || written === 'localhost') ? written : undefined,
  write: toText,
};

export const httpUrl: Kind<string> = {
  placeholder: 'URL',
  rule: 'a URL such as http://127.0.0.1:8787/client/v4',
  read: (written) =>
    typeof written === 'string' && /^https?:$/.test(URL.parse(written)?.protocol ?? '')
      ? written.replace(/\/+$/, '')
      : undefined,
  write: toText,
};

/** One or several, separated by spaces; each with or without a password. */
export const databaseUrl: Kind<string> = {
  placeholder: 'URL',
  rule: 'the address of a database, such as postgres://user@db.internal/gatehouse, or several with spaces between them; user and password are percent-encoded',
  read: (written) => {
    if (typeof written !== 'string' || written.length > 20_000) return undefined;
    const urls = written.trim().split(/\s+/);
    const isValid = urls.every((url) => /^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? ''));
    return isValid ? urls.join(' ') : undefined;
  },
  write: toText,
};

export const clusterName: Kind<string> = {
  placeholder: 'NAME',
  rule: '1 to 64 letters, digits, dots, dashes or underscores',
  read: (written) => (typeof written === 'string' && /^[\w.-]{1,64}$/.test(written) ? written : undefined),
  write: toText,
};

/** A host, a colon and a port. */
export const hostAndPort: Kind<string> = {
  placeholder: 'HOST:PORT',
  rule: 'a host and a port, such as 10.0.0.1:7400 or [fd00::1]:7400',
  read: (written) => {
    const match =
      typeof written === 'string' ? /^(\[[\da-f:.]+\]|[\w.-]{1,253}):(\d{1,5})$/i.exec(written) : null;
    return match !== null && Number(match[2]) <= 65_535 ? match[0] : undefined;
  },
  write: toText,
};

/** A path, or one of these words; a file with such a name is written with `./`. */
export function pathOr<const Word extends string>(words: readonly Word[]): Kind<Word | (string & {})> {
  const file = path('FILE');
  return {
    placeholder: `${words.join('|')}|FILE`,
    rule: `${words.join(', ')} or a path`,
    read: (written, context) => words.find((word) => word === written) ?? file.read(written, context),
    write: toText,
  };
}

/** From 0, for none, to 1, for all. */
export const share: Kind<number> = {
  placeholder: 'SHARE',
  rule: 'a number from 0 to 1, such as 0.05',
  read: (written) => {
    const isDigits = typeof written === 'string' && /^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(written);
    const number = isDigits ? Number(written) : written;
    return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined;
  },
  write: toText,
};

const headerForm = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+=[\x20-\x7e]*$/;

/** Headers of HTTP, as text: `name=value,name=value`. */
export const headerFields: Kind<string> = {
  placeholder: 'NAME=VALUE,...',
  rule: 'headers as name=value, with commas between them, at most 4000 characters',
  read: (written) =>
    typeof written === 'string' &&
    written.length <= 4_000 &&
    written.split(',').every((item) => headerForm.test(item.trim()))
      ? written
      : undefined,
  write: toText,
};

export function choice<const Choice extends string>(choices: readonly Choice[]): Kind<Choice> {
  return {
    placeholder: choices.join('|'),
    rule: choices.join(' or '),
    read: (written) => choices.find((each) => each === written),
    write: toText,
  };
}

export const flag: Kind<boolean> = {
  placeholder: 'true|false',
  rule: 'true or false',
  read: (written) => {
    if (typeof written === 'boolean') return written;
    return written === 'true' ? true : written === 'false' ? false : undefined;
  },
  write: toText,
};

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** In milliseconds. */
export function duration({
  minMs = 0,
  maxMs,
}: {
  readonly minMs?: number;
  readonly maxMs: number;
}): Kind<number> {
  const least = minMs === 0 ? '' : `at least ${formatDuration(minMs)} and `;
  return {
    placeholder: 'TIME',
    rule: `a time such as 500ms, 10s or 5m, ${least}at most ${formatDuration(maxMs)}`,
    read: (written) => {
      const match = typeof written === 'string' ? /^(\d{1,9})(ms|s|m|h)$/.exec(written) : null;
      if (match === null) return undefined;
      const valueMs = Number(match[1]) * unitsMs[match[2]!]!;
      return valueMs >= minMs && valueMs <= maxMs ? valueMs : undefined;
    },
    write: formatDuration,
  };
}

function formatDuration(valueMs: number): string {
  // The largest unit that divides it.
  const units = Object.entries(unitsMs).toReversed();
  const [unit, unitMs] = units.find(([, each]) => valueMs >= each && valueMs % each === 0) ?? ['ms', 1];
  return `${valueMs / unitMs}${unit}`;
}

/** Several values, separated by commas or as an array. */
export function listOf(
  placeholder: string,
  { rule, accepts, max }: { rule: string; accepts(item: string): boolean; max: number },
): Kind<readonly string[]> {
  return {
    placeholder,
    rule: `at most ${max}, with commas between them: ${rule}`,
    read: (written) => {
      if (typeof written !== 'string' && !Array.isArray(written)) return undefined;
      const items = typeof written === 'string' ? written.split(',').map((item) => item.trim()) : written;
      return items.length <= max && items.every((item) => typeof item === 'string' && accepts(item))
        ? items
        : undefined;
    },
    write: (items) => items.join(','),
  };
}

/** Paths by name: a table, or text such as `one=path,two=path`. */
export function namedPaths({
  rule,
  names,
  max,
}: {
  readonly rule: string;
  readonly names: RegExp;
  readonly max: number;
}): Kind<Readonly<Record<string, string>>> {
  const file = path('DIRECTORY');
  return {
    placeholder: 'NAME=PATH,...',
    rule: `at most ${max}, with commas between them: ${rule}`,
    read: (written, context) => {
      const entries = listEntries(written);
      if (entries === undefined || entries.length > max) return undefined;
      const read = entries.map(([name, each]) => [name, file.read(each as Written, context)] as const);
      const isUnique = new Set(read.map(([name]) => name)).size === read.length;
      const isValid = isUnique && read.every(([name, each]) => names.test(name) && each !== undefined);
      return isValid ? (Object.fromEntries(read) as Record<string, string>) : undefined;
    },
    write: (paths) =>
      Object.entries(paths)
        .map((entry) => entry.join('='))
        .join(','),
  };
}

function listEntries(written: Written): (readonly [string, unknown])[] | undefined {
  if (typeof written === 'string') {
    if (written === '') return [];
    const items = written.split(',').map((item) => item.trim());
    return items.map((item) => {
      const at = item.indexOf('=');
      return [item.slice(0, Math.max(at, 0)), item.slice(at + 1)];
    });
  }
  return typeof written === 'object' && !Array.isArray(written) ? Object.entries(written) : undefined;
}
