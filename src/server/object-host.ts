/** What each object host of `gatehouse serve` loads: the classes of the control plane. */
import { controlClasses, createHostEnvironment } from '#control';
import type { HostModule } from '#hosts';
import { createOriginCheck, type OriginRules } from './edge/origin-check.ts';

export interface ObjectHostData {
  /** The data directory. */
  readonly directory: string;
  readonly origins: OriginRules;
}

export const classes = controlClasses;

export const createEnv: HostModule['createEnv'] = (host, data) => {
  const { directory, origins } = data as ObjectHostData;
  return createHostEnvironment(host, { directory, checkOrigin: createOriginCheck(origins) });
};
