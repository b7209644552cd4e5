/** What to do about a listener that could not be opened. */
import { flagOf, type SettingName } from './config/settings.ts';
import { StartError } from './data-directory.ts';

export function cannotListen(
  setting: SettingName,
  { host, port }: { readonly host: string; readonly port: number },
  error: NodeJS.ErrnoException,
): Error {
  const flag = `--${flagOf(setting)}`;
  const fixes: Record<string, string> = {
    EADDRINUSE: `port ${port} is in use: name another with ${flag}, or 0 for any`,
    EACCES: `port ${port} is not for everybody: name one from 1024 on with ${flag}`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: name one that is`,
  };
  const message = fixes[error.code ?? ''];
  return message === undefined ? error : new StartError(message, { cause: error });
}
