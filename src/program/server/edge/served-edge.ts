/** The edge of a program, whichever processes serve it. */
import type { AddressInfo } from 'node:net';
import type { FeedSource } from '#control';
import type { Metric } from '#metrics';
import type { Config } from '../config/read-config.ts';
import type { SettingName, Settings } from '../config/settings.ts';

export interface ServedEdge {
  /** The URLs of the edge. */
  readonly urls: EdgeUrls;
  readonly endpoints: readonly AddressInfo[];
  /** Resolves when it accepts connections; rejects if it cannot be started. */
  readonly started: Promise<void>;
  /** Keeps it in step with the source until the signal. Resolves when it knows every zone, or has tried to. */
  feed(source: FeedSource, signal: AbortSignal): Promise<void>;
  /** All metrics of the edge, with current values. */
  readMetrics(): Promise<readonly Metric[]>;
  /** Reopens the access log under its name. */
  reopenLogs(): void;
  /** Restarts with the settings, process by process, so that one always accepts connections. */
  reload(config: Config): Promise<void>;
  close(options: { readonly graceMs: number }): Promise<void>;
}

export interface EdgeUrls {
  readonly edge?: string;
  readonly edge_https?: string;
  /** The certificate of the authority that signs those of the edge. */
  readonly ca_file?: string;
}

export interface WantedListener {
  readonly setting: Extract<SettingName, 'edgePort' | 'edgeHttpsPort'>;
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

export function wantsEdge({ edgePort, edgeHttpsPort }: Settings): boolean {
  return edgePort !== 'off' || edgeHttpsPort !== 'off';
}

/** The listeners of the settings. */
export function listListeners(config: Config): readonly WantedListener[] {
  const { edgeHost: host, edgeHttpsPort } = config.settings;
  const port = choosePort(config);
  const listeners: WantedListener[] = [];
  if (port !== 'off') listeners.push({ setting: 'edgePort', host, port, isSecure: false });
  if (edgeHttpsPort !== 'off')
    listeners.push({ setting: 'edgeHttpsPort', host, port: edgeHttpsPort, isSecure: true });
  return listeners;
}

export function writeUrls(
  listeners: readonly WantedListener[],
  endpoints: readonly AddressInfo[],
  certificateFile: string | undefined,
): EdgeUrls {
  let urls: EdgeUrls = {};
  for (const [index, { host, isSecure }] of listeners.entries()) {
    const authority = `${host.includes(':') ? `[${host}]` : host}:${endpoints[index]!.port}`;
    urls = isSecure
      ? { ...urls, edge_https: `https://${authority}`, ca_file: certificateFile! }
      : { ...urls, edge: `http://${authority}` };
  }
  return urls;
}

/**
 * A user who wants any free port for the API runs several servers on one machine, so the default port of the edge would
 * conflict.
 */
function choosePort({ settings: { port, edgePort }, sources }: Config): number | 'off' {
  return port === 0 && sources.edgePort.kind === 'default' ? 0 : edgePort;
}
