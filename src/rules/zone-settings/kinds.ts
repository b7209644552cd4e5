/** The kinds of values that settings accept. */

export interface SettingKind<T> {
  /** The rest of the sentence after "it takes". */
  readonly takes: string;
  /** All values, if a user can choose from a list. */
  readonly choices?: readonly T[];
  /**
   * The value in the form in which it is stored and shown; undefined if the setting does not accept it. Omitted parts
   * keep their current values.
   */
  read(sent: unknown, now?: T): T | undefined;
}

export function oneOf<const T extends string | number>(...values: readonly T[]): SettingKind<T> {
  const takes = values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`;
  return { takes, choices: values, read: (sent) => values.find((value) => value === sent) };
}

export const onOff = oneOf('on', 'off');

/** An array; repeated names count once. */
export function someOf<const T extends string>(...names: readonly T[]): SettingKind<readonly T[]> {
  return {
    takes: `an array of some of ${names.join(', ')}`,
    read(sent) {
      if (!Array.isArray(sent)) return undefined;
      const found = sent.map((name) => names.find((known) => known === name));
      return found.includes(undefined) ? undefined : [...new Set(found as T[])];
    },
  };
}

/** Stored as text, which Terraform requires, and also accepted as a number. */
export function secondsAsText({
  min,
  max,
}: {
  readonly min: number;
  readonly max: number;
}): SettingKind<string> {
  return {
    takes: `a whole number of seconds from ${min} to ${max}`,
    read(sent) {
      if (typeof sent !== 'number' && !(typeof sent === 'string' && /^\d{1,9}$/.test(sent))) return undefined;
      const seconds = Number(sent);
      return Number.isInteger(seconds) && seconds >= min && seconds <= max ? String(seconds) : undefined;
    },
  };
}

/** The value of `security_header`. */
export interface StrictTransport {
  readonly strict_transport_security: {
    readonly enabled: boolean;
    readonly max_age: number;
    readonly include_subdomains: boolean;
    readonly preload: boolean;
    readonly nosniff: boolean;
  };
}

/** A hundred years: browsers cap it earlier, and a larger number is a mistake. */
const maxAgeMax = 3_153_600_000;

const flags = ['enabled', 'include_subdomains', 'preload', 'nosniff'] as const;

/** Terraform's provider 5 sends only the fields that it changes. Those that were never sent are false or 0. */
export const strictTransport: SettingKind<StrictTransport> = {
  takes:
    '{ "strict_transport_security": { "enabled", "max_age", "include_subdomains", "preload", "nosniff" } }, with max_age in seconds and true or false for the others',
  read(sent, now) {
    const given = isRecord(sent) && hasOnly(sent, ['strict_transport_security']) ? sent : {};
    const { strict_transport_security: header } = given;
    if (!isRecord(header) || !hasOnly(header, [...flags, 'max_age'])) return undefined;
    const before = now?.strict_transport_security;
    const { max_age = before?.max_age ?? 0 } = header;
    const isAge = Number.isInteger(max_age) && (max_age as number) >= 0 && (max_age as number) <= maxAgeMax;
    if (!isAge || flags.some((name) => !['boolean', 'undefined'].includes(typeof header[name])))
      return undefined;
    const isSet = (name: (typeof flags)[number]): boolean => (header[name] ?? before?.[name]) === true;
    return {
      strict_transport_security: {
        enabled: isSet('enabled'),
        max_age: max_age as number,
        include_subdomains: isSet('include_subdomains'),
        preload: isSet('preload'),
        nosniff: isSet('nosniff'),
      },
    };
  },
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}
