/** The error for a listener that could not be opened, with its remedy. */
import { StartError } from '#base';
import { toFlag, type SettingName } from '../config/settings.ts';

export function createListenError(
  setting: SettingName,
  { host, port }: { readonly host: string; readonly port: number },
  error: NodeJS.ErrnoException,
): Error {
  const flag = `--${toFlag(setting)}`;
  const fixes: Record<string, string> = {
    EADDRINUSE: `port ${port} is in use: choose another one with ${flag}, or 0 for any free port`,
    EACCES: `port ${port} needs special privileges: choose a port of 1024 or higher with ${flag}`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: choose one that is`,
  };
  const message = fixes[error.code ?? ''];
  return message === undefined ? error : new StartError(message, { cause: error });
}
