/**
 * The exchange of counts between the hosts of an account: each host reports its counts for rules that all count
 * together, and receives what the others have reported since its last call. It is in memory, in the object of the
 * account: after a restart of the object, hosts continue with their own data, and no request is stopped that was not
 * counted.
 */
import { hash, randomBytes } from 'node:crypto';
import { type CountedKey, type RateAnswer, type RateReport, type SharedCount, splitRateKey } from '#firewall';

/** Times are those of a monotonic clock, except `untilMs` of a key, which is shown. */
interface Said {
  readonly sequence: number;
  readonly instance: string;
  readonly atMs: number;
  readonly counts: readonly SharedCount[];
  readonly released: readonly string[];
}

interface HostKeys {
  readonly host: string;
  readonly atMs: number;
  readonly keys: readonly CountedKey[];
  /** When the host last reported them. */
  readonly keysAtMs: number;
}

/** A key as the API shows it. */
export interface ShownKey extends CountedKey {
  readonly id: string;
  readonly host: string;
}

/** A host that returns after this time only receives later reports. */
const saidMsMax = 60_000;
const saidCountsMax = 50_000;

/** A host that is silent for this long is removed, with its keys. */
const silentMsMax = 15_000;
const hostsMax = 200;

/**
 * How long hosts collect their fullest keys after the last request for them: with many keys, that takes milliseconds.
 */
const wantedMs = 30_000;

/** Keys that a host reported within this time are current. */
const freshMs = 5_000;

/** The known keys of a zone. */
export interface KeysSeen {
  /** Fullest first. */
  readonly keys: readonly ShownKey[];
  /** Whether every host that counts has reported recently. */
  readonly isComplete: boolean;
}

export class RateExchange {
  readonly #epoch = randomBytes(6).toString('hex');
  readonly #said: Said[] = [];
  readonly #hosts = new Map<string, HostKeys>();
  #sequence = 0;
  #countsSaid = 0;
  #lookedAtMs = -Infinity;

  exchange({ instance, after, counts, keys }: RateReport, host: string, nowMs: number): RateAnswer {
    const known = this.#hosts.get(instance);
    this.#hosts.delete(instance);
    const said = keys === undefined ? known : { keys, keysAtMs: nowMs };
    this.#hosts.set(instance, { keys: [], keysAtMs: -Infinity, ...said, host, atMs: nowMs });
    this.#forgetHosts(nowMs);
    const heard = this.#listSince(after, instance);
    if (counts.length > 0) this.#say(instance, { counts, released: [] }, nowMs);
    else this.#forgetSaid(nowMs);
    return {
      after: `${this.#epoch}:${this.#sequence}`,
      counts: heard.flatMap(({ counts: others, atMs }) =>
        others.map((count) => ({ ...count, stopMs: Math.max(0, Math.ceil(count.stopMs - (nowMs - atMs))) })),
      ),
      released: heard.flatMap(({ released }) => released),
      keysWanted: this.#lookedAtMs + wantedMs > nowMs,
    };
  }

  /** From now on, hosts report their fullest keys, for a limited time. */
  look(zoneId: string, nowMs: number): KeysSeen {
    this.#lookedAtMs = nowMs;
    const keys = this.#list(zoneId, nowMs);
    const isComplete = [...this.#hosts.values()].every(({ keysAtMs }) => keysAtMs + freshMs > nowMs);
    return { keys, isComplete };
  }

  #list(zoneId: string, nowMs: number): ShownKey[] {
    this.#forgetHosts(nowMs);
    const fullness = ({ count, requests, untilMs }: CountedKey): number =>
      untilMs > 0 ? Infinity : count / requests;
    return [...this.#hosts.values()]
      .filter(({ keysAtMs }) => keysAtMs + silentMsMax > nowMs)
      .flatMap(({ host, keys }) =>
        keys
          .filter(({ key }) => splitRateKey(key).zoneId === zoneId)
          .map((key): ShownKey => ({ ...key, id: idOf(key.key), host })),
      )
      .toSorted((one, other) => fullness(other) - fullness(one));
  }

  /** Releases a key on all hosts. Returns its state; undefined if no host counts it. */
  release(zoneId: string, id: string, nowMs: number): ShownKey | undefined {
    const found = this.#list(zoneId, nowMs).find((each) => each.id === id);
    if (found === undefined) return undefined;
    this.#say('', { counts: [], released: [found.key] }, nowMs);
    for (const [instance, { keys, ...host }] of this.#hosts)
      this.#hosts.set(instance, { ...host, keys: keys.filter(({ key }) => key !== found.key) });
    return found;
  }

  /** Returns everything if the cursor is from another instance. */
  #listSince(after: string, instance: string): Said[] {
    const [epoch, sequence] = after.split(':');
    const from = epoch === this.#epoch ? Number(sequence) : 0;
    return this.#said.filter((each) => each.sequence > from && each.instance !== instance);
  }

  #say(instance: string, words: Pick<Said, 'counts' | 'released'>, nowMs: number): void {
    this.#said.push({ sequence: ++this.#sequence, instance, atMs: nowMs, ...words });
    this.#countsSaid += words.counts.length;
    this.#forgetSaid(nowMs);
  }

  #forgetSaid(nowMs: number): void {
    let old = 0;
    for (const { atMs, counts } of this.#said) {
      if (atMs + saidMsMax > nowMs && this.#countsSaid <= saidCountsMax) break;
      this.#countsSaid -= counts.length;
      old++;
    }
    this.#said.splice(0, old);
  }

  /** Hosts are in the order of their last reports. */
  #forgetHosts(nowMs: number): void {
    for (const [instance, { atMs }] of this.#hosts) {
      if (atMs + silentMsMax > nowMs && this.#hosts.size <= hostsMax) return;
      this.#hosts.delete(instance);
    }
  }
}

function idOf(key: string): string {
  return hash('sha256', key).slice(0, 32);
}
