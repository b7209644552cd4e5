/**
 * Warns in time that a certificate expires: in the log at first and once a day, in the metrics, and in the list of
 * warnings. The zone decides whether a renewal is late (`control/certificates/known-certificates.ts`).
 */
import type { Log } from '#base';
import { certificateStates, type Control, urgentStates, type ZoneCertificate } from '#control';
import { type Metric, Reading } from '#metrics';

/** How often certificates are checked without a request. */
const lookMs = 60_000;
const repeatMs = 86_400_000;

/** Series with the name of a zone, and warnings in one answer. The most urgent come first. */
const namedMax = 100;

type WatchedControl = Pick<Control, 'listCertificates' | 'directory'>;

export interface CertificateWatchOptions {
  readonly log: Log;
  /** Undefined until the control plane is open. */
  readonly control: () => WatchedControl | undefined;
  /** Called with each warning that is logged. */
  readonly onWarning?: (zoneId: string, sentence: string) => void;
  readonly now?: () => number;
}

export class CertificateWatch {
  readonly metrics: readonly Metric[];
  readonly #options: CertificateWatchOptions;
  #latest: readonly ZoneCertificate[] = [];
  /** When each warning was last logged, by its text. */
  #logged = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CertificateWatchOptions) {
    this.#options = options;
    this.metrics = [
      new Reading('gatehouse_certificates', 'Certificates of zones, by state.', () =>
        certificateStates.map(
          (state) => [{ state }, this.#latest.filter((each) => each.state === state).length] as const,
        ),
      ),
      new Reading(
        'gatehouse_certificate_expiry_timestamp_seconds',
        'Expiry time of a zone’s certificate, for the zones with the most urgent certificates.',
        () => this.#listExpiries(),
      ),
    ];
  }

  begin(): void {
    void this.look();
    this.#timer = setInterval(() => void this.look(), lookMs).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Reads the state of the certificates. If that fails, the previous state stays. */
  async look(): Promise<void> {
    const { control, log, now = Date.now } = this.#options;
    try {
      this.#latest = (await control()?.listCertificates()) ?? [];
    } catch (error) {
      log.warn('could not check the certificates of zones; trying again in a minute', { error });
      return;
    }
    const logged = new Map<string, number>();
    for (const certificate of this.#latest.filter(isUrgent)) {
      const said = `${certificate.id} ${certificate.state} ${certificate.problem}`;
      const beforeMs = this.#logged.get(said);
      const isDue = beforeMs === undefined || now() - beforeMs >= repeatMs;
      if (isDue) this.#log(certificate);
      logged.set(said, isDue ? now() : beforeMs);
    }
    this.#logged = logged;
  }

  async listWarnings(): Promise<readonly string[]> {
    await this.look();
    return this.#latest
      .filter(isUrgent)
      .slice(0, namedMax)
      .map((each) => this.#describe(each));
  }

  #log(certificate: ZoneCertificate): void {
    const { log, onWarning } = this.#options;
    const message = this.#describe(certificate);
    onWarning?.(certificate.zoneId, message);
    if (certificate.state === 'expired') log.error(message);
    else log.warn(message);
  }

  #describe(certificate: ZoneCertificate): string {
    const { state, source, expiresAtMs, problem } = certificate;
    const on = expiresAtMs === null ? '' : new Date(expiresAtMs).toISOString();
    const what = {
      expired: `has expired on ${on}`,
      expiring: `expires on ${on} and has not been replaced`,
      failing:
        expiresAtMs === null ? 'has not been issued yet' : `has not been renewed yet; it expires on ${on}`,
      pending: 'is being issued',
      active: 'is valid',
    }[state];
    const why = problem ?? (source === 'uploaded' ? 'upload the next one' : 'see the Certificates page');
    return `the certificate of ${this.#findName(certificate)} ${what}: ${toLine(why)}`;
  }

  #listExpiries(): [Readonly<Record<string, string>>, number][] {
    const soonest = new Map<string, number>();
    for (const certificate of this.#latest) {
      const { expiresAtMs } = certificate;
      const zone = this.#findName(certificate);
      if (expiresAtMs === null || (soonest.size >= namedMax && !soonest.has(zone))) continue;
      soonest.set(zone, Math.min(soonest.get(zone) ?? Infinity, expiresAtMs / 1_000));
    }
    return Array.from(soonest, ([zone, seconds]) => [{ zone }, seconds]);
  }

  #findName({ zoneId }: ZoneCertificate): string {
    return this.#options.control()?.directory.zones.get(zoneId)?.name ?? zoneId;
  }
}

function isUrgent({ state }: ZoneCertificate): boolean {
  return urgentStates.has(state);
}

/** An authority's message can contain anything. */
function toLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 500);
}
