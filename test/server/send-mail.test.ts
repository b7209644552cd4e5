import { deepEqual, equal, rejects } from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { test, type TestContext } from 'node:test';
import { createAuthority, issueCertificate } from '#certificates';
import { type MailSettings, OriginRules, sendMail } from '#outbound';

const rules = new OriginRules({ allowPrivate: true });
const mail = { to: 'ops@example.com', subject: 'Größe\r\nBcc: evil@example.com', text: '.\nüber 80 %\n' };

/** A minimal mail server. */
async function listen(
  t: TestContext,
  { hasTls, refuses = '' }: { readonly hasTls: boolean; readonly refuses?: string },
): Promise<{ readonly settings: MailSettings; readonly heard: string[] }> {
  const heard: string[] = [];
  const authority = createAuthority('Test authority', Date.now());
  const { certificate, privateKey } = issueCertificate(authority, ['localhost'], Date.now());
  const secureContext = createSecureContext({
    cert: certificate.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  const speak = (socket: Socket, isSecure: boolean): void => {
    let text = '';
    let isData = false;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        heard.push(line);
        if (isData) {
          if (line !== '.') continue;
          isData = false;
          socket.write('250 taken\r\n');
        } else if (refuses !== '' && line.startsWith(refuses)) socket.write('550 5.1.1 nobody here\r\n');
        else if (line.startsWith('EHLO'))
          socket.write(`250-hello\r\n${hasTls && !isSecure ? '250-STARTTLS\r\n' : ''}250 AUTH PLAIN\r\n`);
        else if (line === 'STARTTLS' && !hasTls) socket.write('502 5.5.1 not implemented\r\n');
        else if (line === 'STARTTLS') {
          socket.write('220 go\r\n');
          socket.removeAllListeners('data');
          return speak(new TLSSocket(socket, { isServer: true, secureContext }), true);
        } else if (line.startsWith('AUTH')) socket.write('235 welcome\r\n');
        else if (line === 'DATA') {
          isData = true;
          socket.write('354 go on\r\n');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  };
  const server = createServer((socket) => {
    socket.write('220 test\r\n');
    speak(socket, false);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const from = 'gatehouse@example.com';
  const trusted = authority.certificate.toString();
  const base = { host: 'localhost', port, isSecure: false, user: undefined, password: undefined };
  return { settings: { ...base, from, trusted }, heard };
}

test('sendMail logs in after STARTTLS, and writes a message that no subject can add fields to', async (t) => {
  const { settings, heard } = await listen(t, { hasTls: true });
  await sendMail({ ...settings, user: 'me', password: 'secret' }, mail, rules);
  deepEqual(
    heard.filter((line) => /^(?:STARTTLS|AUTH|MAIL|RCPT)/.test(line)),
    [
      'STARTTLS',
      `AUTH PLAIN ${Buffer.from('\0me\0secret').toString('base64')}`,
      'MAIL FROM:<gatehouse@example.com>',
      'RCPT TO:<ops@example.com>',
    ],
  );
  const message = heard.join('\n');
  equal(/^Bcc/m.test(message), false);
  deepEqual(readSubject(heard), 'Größe Bcc: evil@example.com');
  const body = heard.slice(heard.lastIndexOf('') + 1, heard.lastIndexOf('.')).join('');
  equal(Buffer.from(body, 'base64').toString(), mail.text);
});

/** Each encoded word must be whole characters (RFC 2047): clients decode one after the other. */
function readSubject(heard: readonly string[]): string {
  const message = heard.join('\n').replaceAll(/\n[ \t]/g, '');
  const [, subject] = /^Subject: (.*)$/m.exec(message)!;
  return [...subject!.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)]
    .map(([, word]) => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(word!, 'base64')))
    .join('');
}

test('sendMail never cuts a character of a long subject', async (t) => {
  const { settings, heard } = await listen(t, { hasTls: true });
  const subject = `x${'😀ä'.repeat(40)}`;
  await sendMail(settings, { ...mail, subject }, rules);
  equal(readSubject(heard), subject);
});

test('sendMail sends no password without TLS, and says what the server refused', async (t) => {
  const plain = await listen(t, { hasTls: false });
  await rejects(sendMail({ ...plain.settings, user: 'me', password: 'x' }, mail, rules), /without TLS/);
  equal(
    plain.heard.some((line) => line.startsWith('AUTH')),
    false,
  );
  await sendMail(plain.settings, mail, rules);
  const strict = await listen(t, { hasTls: true, refuses: 'RCPT' });
  await rejects(sendMail(strict.settings, mail, rules), /550 5\.1\.1 nobody here/);
  await rejects(sendMail(strict.settings, { ...mail, to: 'a>\r\nDATA' }, rules), /is not a mail address/);
  await rejects(sendMail({ ...strict.settings, trusted: undefined }, mail, rules), /certificate|self/i);
});
