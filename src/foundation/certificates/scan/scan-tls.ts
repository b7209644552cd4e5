/** Finds out everything about a server's TLS that a client can, one handshake after the other. */
import { getCiphers, type SecureVersion } from 'node:tls';
import type { X509Certificate } from 'node:crypto';
import { type Handshake, shakeHands, type TlsTarget } from './handshake.ts';

const versions: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];
const dayMs = 86_400_000;
/** Authorities renew when a third of a lifetime is left: 15 days of 45. */
const soonDays = 14;
/** How long a session may take to arrive after the handshake. */
const sessionMs = 2_000;

interface ScannedCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly key: string;
  readonly names: readonly string[];
  readonly valid_from: string;
  readonly valid_to: string;
}

export interface TlsScan {
  readonly host: string;
  readonly connected_to: string;
  /** The versions that the server accepts, each with the cipher suites. */
  readonly protocols: Readonly<Record<string, readonly string[]>>;
  /** The application protocols, in the server's order of preference. */
  readonly applications: readonly string[];
  readonly resumes_sessions: boolean;
  readonly chain: readonly ScannedCertificate[];
  readonly expires_in_days: number;
  /** What a browser or a scanner would report. */
  readonly problems: readonly string[];
}

/** Rejects if no handshake succeeds. */
export async function scanTls(target: TlsTarget, nowMs: number): Promise<TlsScan> {
  const best = await shakeHands(target);
  const protocols: Record<string, readonly string[]> = {};
  for (const version of versions) {
    const ciphers = await listCiphers(target, version);
    if (ciphers.length > 0) protocols[version] = ciphers;
  }
  const certificate = best.chain[0]!;
  const expires_in_days = Math.floor((certificate.validToDate.getTime() - nowMs) / dayMs);
  return {
    host: target.host,
    connected_to: `${target.address.includes(':') ? `[${target.address}]` : target.address}:${target.port}`,
    protocols,
    applications: await listApplications(target),
    resumes_sessions: await resumes(target),
    chain: best.chain.map(describeCertificate),
    expires_in_days,
    problems: listProblems(target, { best, protocols, expires_in_days }),
  };
}

/** The server's choices, until none is left. */
async function listCiphers(target: TlsTarget, version: SecureVersion): Promise<string[]> {
  const isNewest = version === 'TLSv1.3';
  const left = new Set(
    getCiphers()
      .filter((name) => name.startsWith('tls_') === isNewest)
      .map((name) => name.toUpperCase()),
  );
  const found: string[] = [];
  while (left.size > 0) {
    const ciphers = `${[...left].join(':')}${isNewest ? '' : ':@SECLEVEL=0'}`;
    const shown = await shakeHands(target, { version, ciphers }).catch(() => undefined);
    if (shown === undefined || !left.delete(shown.cipher)) break;
    found.push(shown.cipher);
  }
  return found;
}

async function listApplications(target: TlsTarget): Promise<string[]> {
  const found: string[] = [];
  for (const application of ['h2', 'http/1.1']) {
    const shown = await shakeHands(target, { applications: [application] }).catch(() => undefined);
    if (shown?.application === application) found.push(application);
  }
  return found;
}

async function resumes(target: TlsTarget): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  const timer = setTimeout(() => resolve(undefined), sessionMs);
  await shakeHands(target, { onSession: resolve });
  const session = await promise;
  clearTimeout(timer);
  if (session === undefined) return false;
  return (await shakeHands(target, { session })).isResumed;
}

function describeCertificate(certificate: X509Certificate): ScannedCertificate {
  const { publicKey, subjectAltName = '' } = certificate;
  const { namedCurve, modulusLength } = publicKey.asymmetricKeyDetails ?? {};
  return {
    subject: joinName(certificate.subject),
    issuer: joinName(certificate.issuer),
    key: `${publicKey.asymmetricKeyType} ${namedCurve ?? modulusLength ?? ''}`.trim(),
    names: subjectAltName === '' ? [] : subjectAltName.split(', ').map((name) => name.replace(/^DNS:/, '')),
    valid_from: certificate.validFromDate.toISOString(),
    valid_to: certificate.validToDate.toISOString(),
  };
}

/** Each part of a name is a line. Authorities leave the subject empty: only the alternative names are relevant. */
function joinName(name: string | undefined): string {
  return name?.split('\n').join(', ') ?? '';
}

interface ScannedServer {
  readonly best: Handshake;
  readonly protocols: TlsScan['protocols'];
  readonly expires_in_days: number;
}

function listProblems(
  { host }: TlsTarget,
  { best, protocols, expires_in_days: days }: ScannedServer,
): string[] {
  const problems: string[] = [];
  const [certificate] = best.chain;
  if (certificate!.checkHost(host) === undefined)
    problems.push(
      `the certificate is not for ${host}: upload one, or turn on automatic certificates for the zone`,
    );
  if (days < 0) problems.push('the certificate has expired');
  else if (days < soonDays) problems.push(`the certificate expires in ${days} days`);
  if (best.distrust !== undefined)
    problems.push(
      `browsers do not trust the certificate (${best.distrust}); --ca-file trusts another authority`,
    );
  for (const old of ['TLSv1', 'TLSv1.1'])
    if (old in protocols) problems.push(`${old} is old: set min_tls_version of the zone to 1.2`);
  if (!('TLSv1.3' in protocols)) problems.push('TLSv1.3 is off: set tls_1_3 of the zone to on');
  const weak = Object.values(protocols)
    .flat()
    .filter((cipher) => isWeak(cipher));
  if (weak.length > 0)
    problems.push(`weak cipher suites, unless the zone has other ciphers: ${[...new Set(weak)].join(', ')}`);
  return problems;
}

/** Without forward secrecy, or without a cipher that authenticates what it encrypts. */
function isWeak(cipher: string): boolean {
  return !cipher.startsWith('TLS_') && !/^(?:ECDHE|DHE)-.*(?:GCM|CHACHA20|CCM)/.test(cipher);
}
