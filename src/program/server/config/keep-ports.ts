/** The ports of a server that is started again: clients find it where they found the one before. */
import { portOf } from '#base';
import type { Config } from './read-config.ts';
import type { SettingName } from './settings.ts';

/** What each port is, by its setting, as far as there is a listener. */
export type Ports = Partial<Record<PortName, number>>;

type PortName = Extract<SettingName, 'port' | 'httpsPort' | 'adminPort' | 'edgePort' | 'edgeHttpsPort'>;

/** Where a program can be reached: its API or Worker, and the others by their names. */
type Urls = {
  readonly [Name in 'api' | 'api_https' | 'admin' | 'edge' | 'edge_https']?: string | undefined;
};

export function readPorts({ api, api_https, admin, edge, edge_https }: Urls): Ports {
  const urls: Record<PortName, string | undefined> = {
    port: api,
    httpsPort: api_https,
    adminPort: admin,
    edgePort: edge,
    edgeHttpsPort: edge_https,
  };
  const found = Object.entries(urls).filter(([, url]) => url !== undefined);
  return Object.fromEntries(found.map(([name, url]) => [name, portOf(new URL(url!))]));
}

/** Settings that any free port would do for get these. A port that the settings name is theirs. */
export function keepPorts(config: Config, ports: Ports): Config {
  const { settings, sources } = config;
  const isAny = (name: PortName): boolean =>
    settings[name] === 0 ||
    // Any port of the API means any port of the edge, too.
    (name === 'edgePort' && settings.port === 0 && sources.edgePort.kind === 'default');
  const kept = Object.entries(ports).filter(([name]) => isAny(name as PortName));
  return { ...config, settings: { ...settings, ...Object.fromEntries(kept) } };
}
