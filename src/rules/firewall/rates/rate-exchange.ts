/** The messages in which processes and hosts share their counts. */

/** The count of a key in one process or on one host. */
export interface SharedCount {
  readonly key: string;
  readonly requests: number;
  readonly periodMs: number;
  readonly added: number;
  /** How long the key stays stopped, 0 if it is not: processes and hosts have no common clock. */
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

/** The report of a host to the control plane. */
export interface RateReport {
  /** Identifies the process, so that it does not receive its own reports. */
  readonly instance: string;
  /** The position up to which it has received reports; empty at first. */
  readonly after: string;
  readonly counts: readonly SharedCount[];
  /** Its fullest keys, if a user requests them. */
  readonly keys?: readonly CountedKey[] | undefined;
}

/** What the others have reported since. */
export interface RateAnswer {
  readonly after: string;
  readonly counts: readonly SharedCount[];
  /** Keys that a user has released: their counts restart. */
  readonly released: readonly string[];
  /** A user requests the fullest keys. */
  readonly keysWanted: boolean;
}

/** The parts of the key of a count: the rules of an account count separately for each zone. */
export function joinRateKey(zoneId: string, ruleId: string, values: string): string {
  return `${zoneId}\n${ruleId}\n${values}`;
}

/** Values that a request does not have are undefined. */
export function splitRateKey(key: string): {
  readonly zoneId: string;
  readonly ruleId: string;
  readonly values: readonly (string | undefined)[];
} {
  const [zoneId = '', ruleId = '', ...written] = key.split('\n');
  const values = written.map((value) => (value === '-' ? undefined : value.replace(/^=/, '')));
  return { zoneId, ruleId, values: written.join('') === '' ? [] : values };
}
