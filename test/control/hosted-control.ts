/** What object hosts load in tests of the control plane that run on several of them. */
import { controlClasses, createHostEnvironment } from '#control';
import type { HostModule } from '#hosts';

export const classes = controlClasses;

export const createEnv: HostModule['createEnv'] = (host, data) =>
  createHostEnvironment(host, { directory: data as string });
