/** The mail server of the settings. */
import { readFileSync } from 'node:fs';
import { StartError } from '#base';
import { isMailAddress, type MailSettings } from '#outbound';
import type { Settings } from './settings.ts';

const ports: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

export function readMailSettings(
  settings: Pick<Settings, 'mailServer' | 'mailFrom' | 'mailPassword' | 'mailTrust'>,
): MailSettings | undefined {
  const { mailServer, mailFrom: from, mailPassword: password } = settings;
  if (mailServer === undefined) return undefined;
  const url = URL.parse(mailServer);
  const port = url === null ? undefined : ports[url.protocol];
  if (url === null || port === undefined || url.hostname === '' || url.password !== '')
    throw new StartError(
      'mail_server must be smtp://user@host:587 or smtps://user@host:465; the password is GATEHOUSE_MAIL_PASSWORD',
    );
  if (from === undefined || !isMailAddress(from))
    throw new StartError('mail_from must be the sender address of mail, such as gatehouse@example.com');
  return {
    host: url.hostname,
    port: Number(url.port) || port,
    isSecure: url.protocol === 'smtps:',
    user: url.username === '' ? undefined : decodeURIComponent(url.username),
    password,
    trusted: readTrusted(settings.mailTrust),
    from,
  };
}

function readTrusted(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`cannot read mail_trust: ${(error as Error).message}`, { cause: error });
  }
}
