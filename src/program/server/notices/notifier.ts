/** The outgoing messages of a program: records for the receivers of Logpush jobs, and alerts for notifications. */
import type { Log } from '#base';
import type { OriginRulesOptions } from '#outbound';
import type { Control } from '#control';
import type { TrafficRow } from '#events';
import type { LogRecord } from '#logpush';
import type { Metric } from '#metrics';
import type { Config } from '../config/read-config.ts';
import type { ServedRequests } from '../edge/edge-reports.ts';
import { AlertWatch } from './alert-watch.ts';
import { ProgramLogpush } from './program-logpush.ts';

export interface NotifierOptions {
  readonly config: Config;
  readonly log: Log;
  /** Undefined until the control plane is open. */
  readonly control: () => Control | undefined;
}

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #alerts: AlertWatch;
  #logpush: ProgramLogpush | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
    const { config, log, control } = options;
    this.#alerts = new AlertWatch({
      data: config.settings.data,
      log,
      raise: async (alert) => control()?.raiseAlert(alert),
      findZoneName: (zoneId) => control()?.directory.zones.get(zoneId)?.name ?? zoneId,
    });
  }

  get metrics(): readonly Metric[] {
    return this.#logpush?.metrics ?? [];
  }

  /** Must be called before the control plane is opened, with the addresses that may be connected to. */
  open(origins: OriginRulesOptions): void {
    const { config, log } = this.#options;
    this.#logpush = new ProgramLogpush({ data: config.settings.data, origins, log });
  }

  /** Resolves when the jobs are running. */
  async follow(control: Control): Promise<void> {
    await this.#logpush?.follow(control);
    control.onRecorded((zoneId, events) => this.#alerts.noteEvents(zoneId, events));
    this.#alerts.begin();
  }

  readonly pushRequests = (zoneId: string, records: readonly LogRecord[]): void =>
    this.#logpush?.pushRequests(zoneId, records);

  readonly pushAll = (zones: ServedRequests): void => {
    for (const [zone, records] of Object.entries(zones)) this.pushRequests(zone, records);
  };

  readonly noteCertificate = (zoneId: string, sentence: string): void =>
    this.#alerts.noteCertificate(zoneId, sentence);

  /** Passes the counts of this program's edge to the control plane. */
  addTraffic(rows: readonly TrafficRow[]): void {
    this.#options.control()?.addTraffic(rows);
    this.#alerts.noteTraffic(rows);
  }

  async close(): Promise<void> {
    this.#alerts[Symbol.dispose]();
    await this.#logpush?.close();
  }
}
