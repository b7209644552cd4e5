/** What processes and hosts tell each other about what they have counted. */

/** What one process, or one host, has counted of a key. */
export interface SharedCount {
  readonly key: string;
  readonly requests: number;
  readonly periodMs: number;
  readonly added: number;
  /** For how long the key stays stopped, 0 if it is not: processes and hosts have no clock in common. */
  readonly stopMs: number;
  /** The rule counts on all hosts together. */
  readonly isOfAllHosts?: boolean;
}

/** A key and how full it is, at one moment. */
export interface CountedKey extends Pick<SharedCount, 'key' | 'requests' | 'periodMs'> {
  /** When it is no longer stopped, by the time of day; 0 if it is not. */
  readonly untilMs: number;
  readonly count: number;
}

/** What a host tells the control plane. */
export interface RateReport {
  /** Of the process, so that nobody hears what it said itself. */
  readonly instance: string;
  /** How far it has heard; empty at first. */
  readonly after: string;
  readonly counts: readonly SharedCount[];
  /** Its fullest keys, if somebody wants to know. */
  readonly keys?: readonly CountedKey[] | undefined;
}

/** What the others have said since. */
export interface RateAnswer {
  readonly after: string;
  readonly counts: readonly SharedCount[];
  /** Keys that somebody has let go: they begin again. */
  readonly released: readonly string[];
  /** Somebody looks at the fullest keys. */
  readonly keysWanted: boolean;
}

/** The parts of the key of a count: the rules of an account count for each zone apart. */
export function joinRateKey(zoneId: string, ruleId: string, values: string): string {
  return `${zoneId}\n${ruleId}\n${values}`;
}

/** The values are undefined that a request does not have. */
export function splitRateKey(key: string): {
  readonly zoneId: string;
  readonly ruleId: string;
  readonly values: readonly (string | undefined)[];
} {
  const [zoneId = '', ruleId = '', ...written] = key.split('\n');
  const values = written.map((value) => (value === '-' ? undefined : value.replace(/^=/, '')));
  return { zoneId, ruleId, values: written.join('') === '' ? [] : values };
}
