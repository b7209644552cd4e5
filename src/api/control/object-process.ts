/** What an object host of the control plane loads, kept small because each host has it in memory. */
import type { OriginRulesOptions } from '#outbound';
import type { HostModule } from '#hosts';
import type { AcmeSettings } from './context/acme-settings.ts';
import type { OutboundSettings } from './context/environment.ts';
import { controlClasses, createObjectProcessEnvironment } from './object-process-environment.ts';

export interface ControlProcessData {
  /** The data directory. */
  readonly directory: string;
  readonly origins: OriginRulesOptions | undefined;
  readonly acme: AcmeSettings;
  readonly mail: OutboundSettings['mail'];
}

export const classes = controlClasses;

export const createEnv: HostModule['createEnv'] = (host, data) =>
  createObjectProcessEnvironment(host, data as ControlProcessData);
