/** What an object host of the control plane loads, and nothing else of it: each host has this in memory. */
import type { OriginRulesOptions } from '#base';
import type { HostModule } from '#hosts';
import type { AcmeSettings } from './context/acme-settings.ts';
import { controlClasses, createHostEnvironment } from './host-environment.ts';

export interface ControlHostData {
  /** The data directory. */
  readonly directory: string;
  readonly origins: OriginRulesOptions | undefined;
  readonly acme: AcmeSettings;
}

export const classes = controlClasses;

export const createEnv: HostModule['createEnv'] = (host, data) =>
  createHostEnvironment(host, data as ControlHostData);
