/**
 * Sends one plain text message over SMTP: with TLS from the start, or with STARTTLS where the server offers it. A
 * password is never sent without TLS. The bytes of the message are ASCII, so any server accepts it.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { OriginRules } from './origin-rules.ts';
import { openConnection, toTlsOptions } from './open-connection.ts';

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
/** The total length of a server's replies to one command. */
const replyCharactersMax = 16_384;

/** One address, without a name: it contains nothing that could end a command. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$/.test(text);
}

/** Rejects if the server does not accept the message. */
export async function sendMail(settings: MailSettings, mail: Mail, rules: OriginRules): Promise<void> {
  if (!isMailAddress(mail.to)) throw new TypeError(`${mail.to} is not a mail address`);
  const signal = AbortSignal.timeout(attemptMsMax);
  const { host, port, isSecure, user, password, from, trusted } = settings;
  const socket = await openConnection({ host, port, isSecure, isVerified: true, trusted }, { rules, signal });
  let dialogue = new Dialogue(socket, signal);
  try {
    await dialogue.expect(220);
    let offers = await dialogue.greet();
    if (!isSecure && offers.has('STARTTLS')) {
      await dialogue.say('STARTTLS', 220);
      dialogue = new Dialogue(await upgrade(dialogue.leave(), settings, signal), signal);
      offers = await dialogue.greet();
    } else if (!isSecure && password !== undefined) {
      throw new Error('the mail server offers no STARTTLS: a password is not sent without TLS');
    }
    if (user !== undefined && password !== undefined) {
      const credentials = Buffer.from(`\0${user}\0${password}`).toString('base64');
      await dialogue.say(`AUTH PLAIN ${credentials}`, 235);
    }
    await dialogue.say(`MAIL FROM:<${from}>`, 250);
    await dialogue.say(`RCPT TO:<${mail.to}>`, 250);
    await dialogue.say('DATA', 354);
    await dialogue.say(`${writeMessage(from, mail)}\r\n.`, 250);
    // The server has accepted the message, whatever it replies to this.
    await dialogue.say('QUIT', 221).catch(() => {});
  } finally {
    dialogue.leave().destroy();
  }
}

async function upgrade(
  socket: Socket,
  { host, trusted }: MailSettings,
  signal: AbortSignal,
): Promise<Socket> {
  const secure = connectTls({ socket, servername: host, ...toTlsOptions({ trusted }) });
  signal.addEventListener('abort', () => secure.destroy(), { once: true });
  await once(secure, 'secureConnect', { signal });
  return secure;
}

/** The body in base64, whose lines cannot begin with a dot. */
function writeMessage(from: string, { to, subject, text }: Mail): string {
  const word = Buffer.from(subject.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 200)).toString('base64');
  const body = Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  return [
    `From: Gatehouse <${from}>`,
    `To: <${to}>`,
    // Encoded words have at most 75 characters each.
    `Subject: ${(word.match(/.{1,60}/g) ?? []).map((part) => `=?utf-8?b?${part}?=`).join('\r\n ')}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${randomUUID()}@${hostname()}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    body,
  ].join('\r\n');
}

/** Commands and their replies, one after the other. */
class Dialogue {
  readonly #socket: Socket;
  readonly #signal: AbortSignal;
  #text = '';

  constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket;
    this.#signal = signal;
    socket.setEncoding('latin1');
    socket.on('error', () => {});
  }

  /** The capabilities of the server. */
  async greet(): Promise<ReadonlySet<string>> {
    const reply = await this.say(`EHLO ${hostname()}`, 250);
    return new Set(reply.split('\r\n').map((line) => line.slice(4).split(' ', 1)[0]!.toUpperCase()));
  }

  async say(line: string, code: number): Promise<string> {
    this.#socket.write(`${line}\r\n`);
    return await this.expect(code);
  }

  async expect(code: number): Promise<string> {
    for (;;) {
      const whole = /^(?:\d{3}-[^\r\n]*\r\n)*(\d{3})(?: [^\r\n]*)?\r\n/.exec(this.#text);
      if (whole !== null) {
        this.#text = this.#text.slice(whole[0].length);
        if (Number(whole[1]) === code) return whole[0];
        throw new Error(`the mail server answered ${whole[0].trim().slice(0, 200)}`);
      }
      if (this.#text.length > replyCharactersMax)
        throw new Error('the response of the mail server is too long');
      this.#text += await this.#read();
    }
  }

  /** Releases the connection for other code to use. */
  leave(): Socket {
    return this.#socket;
  }

  async #read(): Promise<string> {
    for (;;) {
      const chunk = this.#socket.read() as string | null;
      if (chunk !== null) return chunk;
      if (this.#socket.readableEnded || this.#socket.destroyed)
        throw new Error('the mail server closed the connection');
      const end = new AbortController();
      const signal = AbortSignal.any([this.#signal, end.signal]);
      const wait = (event: string) => once(this.#socket, event, { signal }).catch(() => {});
      await Promise.race([wait('readable'), wait('end'), wait('close')]);
      end.abort();
      this.#signal.throwIfAborted();
    }
  }
}
