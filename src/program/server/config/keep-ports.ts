/** The ports of a restarted server: clients find it where they found its predecessor. */
import { portOf } from '#listeners';
import type { Config } from './read-config.ts';
import type { SettingName } from './settings.ts';

/** The ports by setting, for existing listeners. */
export type Ports = Partial<Record<PortName, number>>;

type PortName = Extract<SettingName, 'port' | 'httpsPort' | 'adminPort' | 'edgePort' | 'edgeHttpsPort'>;

/** The URLs of a program: its API or Worker, and the others by name. */
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

/** Applies these ports to settings that accept any free port. A port that is set explicitly is kept. */
export function keepPorts(config: Config, ports: Ports): Config {
  const { settings, sources } = config;
  const isAny = (name: PortName): boolean =>
    settings[name] === 0 ||
    // Any port for the API implies any port for the edge.
    (name === 'edgePort' && settings.port === 0 && sources.edgePort.kind === 'default');
  const kept = Object.entries(ports).filter(([name]) => isAny(name as PortName));
  return { ...config, settings: { ...settings, ...Object.fromEntries(kept) } };
}
