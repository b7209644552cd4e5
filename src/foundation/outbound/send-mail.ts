/**
 * Sends one plain text message over SMTP: with TLS from the start, or with STARTTLS where the server offers it. A
 * password is never sent without TLS.
 */
import { openConnection, toTlsOptions } from './open-connection.ts';
import type { OriginRules } from './origin-rules.ts';

export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the start, instead of after STARTTLS. */
  readonly isSecure: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** PEM certificates to trust, in addition to those of the system. */
  readonly trusted?: string | undefined;
  /** The address that messages come from. */
  readonly from: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const attemptMsMax = 30_000;
const replyBytesMax = 16_384;

/** One address, without a name: it contains nothing that could end a command. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$/.test(text);
}

/** Rejects if the server does not accept the message. */
export async function sendMail(settings: MailSettings, mail: Mail, rules: OriginRules): Promise<void> {
  if (!isMailAddress(mail.to)) throw new TypeError(`${mail.to} is not a mail address`);
  const signal = AbortSignal.timeout(attemptMsMax);
  const { host, port, isSecure, user, password, from, trusted } = settings;
  // Most servers send no mail, and it takes time to load.
  const { createTransport } = await import('nodemailer');
  const connection = await openConnection({ host, port, isSecure, trusted }, { rules, signal });
  const transport = createTransport({
    connection,
    host,
    port,
    secure: isSecure,
    secured: isSecure,
    requireTLS: !isSecure && password !== undefined,
    tls: toTlsOptions({ trusted }),
    ...(user !== undefined && password !== undefined ? { auth: { user, pass: password } } : {}),
    maxResponseSize: replyBytesMax,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: { name: 'Gatehouse', address: from },
      ...mail,
      textEncoding: 'base64',
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = error as Error & { readonly code?: string };
    if (code !== 'ETLS' || password === undefined) throw error;
    throw new Error(`a password is not sent without TLS: ${message}`, { cause: error });
  } finally {
    connection.destroy();
  }
}
