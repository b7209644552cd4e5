/**
 * Detects events for notifications, on this host: a burst of attacks, an origin that does not answer, a certificate
 * that expires, a disk that fills up. The account decides who is notified, and whether they already were.
 */
import { statfs } from 'node:fs/promises';
import { BoundedMap, type Log } from '#base';
import type { Alert } from '#control';
import { placeOfField, type SecurityEvent, type TrafficRow } from '#events';

export interface AlertWatchOptions {
  readonly data: string;
  readonly log: Log;
  readonly raise: (alert: Alert) => Promise<void>;
  readonly findZoneName: (zoneId: string) => string;
  readonly now?: () => number;
  /** The free part of the disk, from 0 to 1. */
  readonly readFree?: (directory: string) => Promise<number>;
}

const minuteMs = 60_000;
const hourMinutes = 60;
/** A burst is this many requests that rules stop in one minute, and this multiple of the mean of the hour before. */
const burstEventsMin = 100;
const burstTimes = 5;
/** An origin is down if this many requests within a few seconds failed, and at least half of all. */
const failedMin = 5;
const freeShareMin = 0.1;
/** Zones whose last hour is stored. */
const zonesMax = 10_000;

const stopping = new Set(['block', 'challenge', 'js_challenge', 'managed_challenge']);

interface Hour {
  minute: number;
  count: number;
  /** The decaying mean of about sixty previous minutes. */
  mean: number;
  isTold: boolean;
}

export class AlertWatch implements Disposable {
  readonly #options: AlertWatchOptions;
  readonly #hours = new BoundedMap<string, Hour>(zonesMax);
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AlertWatchOptions) {
    this.#options = options;
  }

  begin(): void {
    void this.lookAtDisk();
    this.#timer = setInterval(() => void this.lookAtDisk(), minuteMs).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  noteEvents(zoneId: string, events: readonly SecurityEvent[]): void {
    const stopped = events.filter(
      ({ action, matchIndex }) => matchIndex === 0 && stopping.has(action),
    ).length;
    if (stopped === 0) return;
    const hour = this.#findHour(zoneId);
    hour.count += stopped;
    if (hour.isTold || hour.count < Math.max(burstEventsMin, hour.mean * burstTimes)) return;
    hour.isTold = true;
    const name = this.#options.findZoneName(zoneId);
    this.#raise({
      type: 'clickhouse_alert_fw_anomaly',
      subject: `burst ${zoneId}`,
      zoneId,
      title: `rules stop many requests of ${name}`,
      text: `Rules stopped ${hour.count} requests of ${name} within a minute; in the previous hour they stopped ${Math.round(hour.mean)} a minute.`,
    });
  }

  noteTraffic(rows: readonly TrafficRow[]): void {
    for (const { zoneId, counts } of rows) {
      const failed = counts[placeOfField['originFailed']] ?? 0;
      const forwarded = counts[placeOfField['forwarded']] ?? 0;
      if (failed < failedMin || failed * 2 < forwarded) continue;
      const name = this.#options.findZoneName(zoneId);
      this.#raise({
        type: 'real_origin_monitoring',
        subject: `origin ${zoneId}`,
        zoneId,
        title: `the origin of ${name} does not answer`,
        text: `${failed} of ${forwarded} requests for ${name} were not answered by its origin within a few seconds.`,
      });
    }
  }

  noteCertificate(zoneId: string, sentence: string): void {
    const name = this.#options.findZoneName(zoneId);
    this.#raise({
      type: 'universal_ssl_event_type',
      subject: `certificate ${zoneId}`,
      zoneId,
      title: `the certificate of ${name} needs attention`,
      text: sentence,
    });
  }

  async lookAtDisk(): Promise<void> {
    const { data, readFree = readFreeShare, log } = this.#options;
    try {
      const free = await readFree(data);
      if (free >= freeShareMin) return;
      const percent = Math.floor(free * 100);
      this.#raise({
        type: 'gatehouse_disk_filling',
        subject: 'disk',
        title: `the disk is nearly full: ${percent} % are left`,
        text: `The disk of ${data} has ${percent} % left. When it is full, changes are refused and events are lost.`,
      });
    } catch (error) {
      log.warn('could not check the disk', { error });
    }
  }

  /** If the clock jumps, another minute starts; at most, the mean of the hour is lost. */
  #findHour(zoneId: string): Hour {
    const { now = Date.now } = this.#options;
    const minute = Math.floor(now() / minuteMs);
    let hour = this.#hours.get(zoneId);
    if (hour === undefined) {
      hour = { minute, count: 0, mean: 0, isTold: false };
      this.#hours.set(zoneId, hour);
    }
    if (hour.minute !== minute) {
      const passed = Math.min(Math.max(minute - hour.minute, 1), hourMinutes);
      const decayed = hour.mean + (hour.count - hour.mean) / hourMinutes;
      hour.mean = decayed * (1 - 1 / hourMinutes) ** (passed - 1);
      hour.minute = minute;
      hour.count = 0;
      hour.isTold = false;
    }
    return hour;
  }

  #raise(alert: Alert): void {
    const { raise, log } = this.#options;
    raise(alert).catch((error: unknown) =>
      log.warn('could not raise an alert', { title: alert.title, error }),
    );
  }
}

async function readFreeShare(directory: string): Promise<number> {
  const { bavail, blocks } = await statfs(directory);
  return blocks === 0 ? 1 : bavail / blocks;
}
